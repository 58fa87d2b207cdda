import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { option } from '../../cli/command.ts';
import { describeOptions, optionsOf, parseOptions, settingsFromFile } from '../../cli/options.ts';
import { QuarryError } from '../../shards/index.ts';

const schema = Type.Object({
  delayMs: Type.Number({ default: 1000, minimum: 0, description: 'least gap, ms' }),
  maxTimeS: Type.Optional(Type.Integer({ description: 'seconds' })),
  maxDiskBytes: Type.Optional(Type.Integer({ description: 'bytes' })),
  bodies: Type.Boolean({ default: true, description: 'keep bodies' }),
  seeds: Type.Array(Type.String(), { default: [], description: 'seeds' }),
  hosts: Type.Optional(Type.Object({}, { description: 'per host' })),
});
const specs = [
  ...optionsOf(schema),
  option({ flag: 'serve', kind: 'integer', optionalValue: true, help: 'search' }),
  option({ flag: 'top', short: 'k', kind: 'integer', help: 'hits' }),
];
const parse = (...args: string[]) => parseOptions('quarry', specs, args);
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof QuarryError) return `${error.code} ${error.exit}`;
    throw error;
  }
  return 'no error';
};

test('options: the unit of a settings key does not stand in the flag', () => {
  assert.deepEqual(
    specs.map((spec) => spec.flag),
    ['delay', 'max-time', 'max-disk', 'bodies', 'seeds', 'hosts', 'serve', 'top'],
  );
});

test('options: only what was given comes back, by settings key', () => {
  assert.deepEqual(parse('--delay', '50', '--no-bodies', '--seeds=a', '--seeds', 'b', 'http://x/').values, {
    delayMs: 50,
    bodies: false,
    seeds: ['a', 'b'],
  });
});

test('options: quantities take units', () => {
  const { values } = parse('--delay', '2s', '--max-time', '90m', '--max-disk', '2GB');
  assert.deepEqual(values, { delayMs: 2000, maxTimeS: 5400, maxDiskBytes: 2 * 1024 ** 3 });
  assert.equal(
    codeOf(() => parse('--delay', 'soon')),
    'CLI_BAD_OPTION 2',
  );
  assert.equal(
    codeOf(() => parse('--max-time', '1.5')),
    'CLI_BAD_OPTION 2',
  );
  assert.equal(
    codeOf(() => parse('--max-time', '5GB')),
    'CLI_BAD_OPTION 2',
  );
});

test('options: an optional value is taken only when it is one', () => {
  assert.deepEqual(parse('--serve', 'http://x/'), { values: { serve: '' }, positionals: ['http://x/'] });
  assert.deepEqual(parse('--serve', '9000').values, { serve: 9000 });
  assert.deepEqual(parse('http://x/', '--serve').values, { serve: '' });
});

test('options: words of a query may begin with a dash', () => {
  assert.deepEqual(parse('-k', '5', 'apple', '-pie', '"a b"'), {
    values: { top: 5 },
    positionals: ['apple', '-pie', '"a b"'],
  });
});

test('options: a value may begin with a dash, and is not changed', () => {
  assert.deepEqual(parse('--seeds', '-draft').values, { seeds: ['-draft'] });
  assert.throws(() => parse('-k', '-x'), { message: 'quarry: --top -x: is not a whole number' });
});

test('options: unknown options, missing values and file-only settings are refused', () => {
  assert.equal(
    codeOf(() => parse('--colour')),
    'CLI_UNKNOWN_OPTION 2',
  );
  assert.equal(
    codeOf(() => parse('--bodies')),
    'CLI_UNKNOWN_OPTION 2',
  );
  assert.equal(
    codeOf(() => parse('--delay')),
    'CLI_BAD_OPTION 2',
  );
  assert.equal(
    codeOf(() => parse('--hosts', 'x')),
    'CLI_UNKNOWN_OPTION 2',
  );
});

const ofFile = (content: unknown) =>
  settingsFromFile({ file: 'f.json', content, specs }, async () => [
    option({ flag: 'workers', kind: 'integer', help: 'of another command' }),
  ]);

test('options: a settings file takes option names and settings keys, nothing else', async () => {
  const content = { 'max-time': 5, delayMs: 7, hosts: { 'a.test': { strip: 'nav' } } };
  assert.deepEqual(await ofFile(content), {
    maxTimeS: 5,
    delayMs: 7,
    hosts: { 'a.test': { strip: 'nav' } },
  });
  await assert.rejects(ofFile({ colour: 1 }), {
    code: 'CLI_CONFIG_FILE',
    exit: 2,
    message: /unknown setting "colour"/,
  });
  await assert.rejects(ofFile([1]), { code: 'CLI_CONFIG_FILE' });
});

test('options: a settings file may hold what only another command knows', async () => {
  assert.deepEqual(await ofFile({ workers: 'any', delay: 7 }), { delayMs: 7 });
});

test('options: of two kinds under one name, a settings file takes the one that fits', async () => {
  const both = [option({ flag: 'seeds', key: 'seedFile', help: 'file' }), ...optionsOf(schema, ['seeds'])];
  const read = (seeds: unknown) =>
    settingsFromFile({ file: 'f.json', content: { seeds }, specs: both }, async () => []);
  assert.deepEqual(await read('list.txt'), { seedFile: 'list.txt' });
  assert.deepEqual(await read(['http://a.test/']), { seeds: ['http://a.test/'] });
  await assert.rejects(read(5), { message: /"seeds" must be one string or a list of strings/ });
});

test('options: help names flag, value and default', () => {
  const lines = describeOptions(specs);
  assert.equal(lines[0], '  --delay N     least gap, ms (default 1000)');
  assert.ok(lines.some((line) => /^ {2}--no-bodies +do not keep bodies$/.test(line)));
  assert.ok(lines.some((line) => line.startsWith('  --serve [N] ')));
  assert.ok(lines.some((line) => line.startsWith('  -k, --top N ')));
  assert.ok(!lines.some((line) => line.includes('--hosts')));
});
