import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** A build script, not part of the package: loaded from the source tree. */
const build = (await import(pathToFileURL(`${root}shards/kernels/build.mjs`).href)) as {
  kernelModules(): string[];
  kernelSource(name: string): Promise<string>;
  generatedFile(name: string): string;
};

for (const name of build.kernelModules()) {
  test(`the committed bytes of ${name} are what its source compiles to`, async () => {
    const source = await build.kernelSource(name);
    assert.equal(readFileSync(build.generatedFile(name), 'utf8'), source, 'run npm run kernels and commit');
  });
}
