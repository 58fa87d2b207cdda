// Runs every test file under dist/test (node:test of Node 20 takes no glob); arguments narrow by substring of the path.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(join(root, 'dist/test'), { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.test.js'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
  .map((file) => join('dist/test', file));
if (files.length === 0) {
  process.stderr.write(`no test file matches ${wanted.join(' ')}; the files are dist/test/**/*.test.js\n`);
  process.exit(2);
}
// A test that hangs fails, so that it is named; far above what any takes on a busy machine.
const HANG_LIMIT_MS = 300_000;
const replay = new URL('./replay.mjs', import.meta.url).href;
const result = spawnSync(
  process.execPath,
  ['--test', `--test-timeout=${HANG_LIMIT_MS}`, '--enable-source-maps', '--import', replay, ...files],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exit(result.status ?? 1);
