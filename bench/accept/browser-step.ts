import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { runProgram } from '../program.ts';
import type { StepContext } from './verdicts.ts';

/** The test runner's count of a kind of result. */
const countOf = (kind: 'pass' | 'fail' | 'skipped', output: string): number =>
  Number(new RegExp(`^# ${kind} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);

const browserTests = (): string[] => {
  const folder = join(projectRoot, 'dist/test');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => /browser[^/]*\.test\.js$/.test(file))
    .map((file) => join(folder, file));
};

/** The search page in a real browser: a query typed, a result followed, back, by keyboard alone. */
export const browserStep = async (context: StepContext): Promise<void> => {
  const files = browserTests();
  const { stdout, status } = await runProgram(
    process.execPath,
    ['--test', '--test-reporter', 'tap', ...files],
    { cwd: projectRoot },
  );
  const passed = countOf('pass', stdout);
  const failed = countOf('fail', stdout);
  const skipped = countOf('skipped', stdout);
  const good = files.length > 0 && status === 0 && passed > 0 && failed === 0 && skipped === 0;
  context.claim(
    'the browser test passes',
    good,
    `${files.length} files, ${passed} passed, ${failed} failed, ${skipped} skipped`,
  );
};
