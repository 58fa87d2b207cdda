// Compiles shards/kernels/assembly/<module>/index.ts to shards/kernels/generated/<module>.ts, which holds the WebAssembly bytes as
// text, so that they travel through tsc, npm pack and worker threads like any other source. The files are committed; a
// test compiles them again and compares. Run by `npm run kernels`.
import { readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const here = fileURLToPath(new URL('.', import.meta.url));
const LINE_LENGTH = 100;

/** No runtime: kernels allocate nothing, they work in the memory that is handed to them. Warning 201 is about 64-bit addresses. */
const FLAGS =
  '--runtime stub --noAssert -O3 --converge --importMemory --initialMemory 1 --maximumMemory 65536 --enable simd --disableWarning 201'.split(
    ' ',
  );

/** What one module needs besides: segments lie in memory that threads share. */
const MODULE_FLAGS = { search: ['--enable', 'threads', '--sharedMemory'] };

export const kernelModules = () =>
  readdirSync(join(here, 'assembly'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** The compiler adds .ts to a specifier that already has it, as everywhere in this project; null when there is no such file. */
const readSource = (file) => readFile(file.replace(/(\.ts)+$/, '.ts'), 'utf8').catch(() => null);

/** The WebAssembly bytes of one module, compiled now. */
const compile = async (name) => {
  let binary;
  const { error } = await asc.main(
    [`${name}/index.ts`, '--outFile', 'out.wasm', ...FLAGS, ...(MODULE_FLAGS[name] ?? [])],
    {
      readFile: (file, base) => readSource(join(here, 'assembly', base ?? '.', file)),
      writeFile: (_file, contents) => {
        binary = contents;
      },
      listFiles: () => null,
      stderr: process.stderr,
    },
  );
  if (error || !binary) throw new Error(`${name}: ${error?.message ?? 'no output'}`);
  return binary;
};

/** The text of generated/<name>.ts. */
export const kernelSource = async (name) => {
  const text = Buffer.from(await compile(name)).toString('base64');
  const lines = text.match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? [];
  return [
    `// Made by \`npm run kernels\` from shards/kernels/assembly/${name}; not written by hand.`,
    '/** WebAssembly in base64. */',
    `export default \`\n${lines.join('\n')}\n\`;`,
    '',
  ].join('\n');
};

export const generatedFile = (name) => join(here, 'generated', `${name}.ts`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of kernelModules()) {
    const source = await kernelSource(name);
    writeFileSync(generatedFile(name), source);
    process.stdout.write(`${name}: ${Math.ceil((source.length * 3) / 4)} bytes\n`);
  }
}
