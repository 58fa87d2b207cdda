// Makes docs/ERRORS.md from the error tables in the sources: `node docs/errors.mjs` writes it, `--print` only shows it.
// test/docs.test.ts compares.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const ROOMS = ['crawler', 'indexer', 'shards', 'query', 'cli', 'bench'];

/** An entry of a table: CODE: { exit: 1, message: '…' }, on one line or on several. */
const ENTRY =
  /^\s+([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+): \{\s*exit: ([12]),\s*message:\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),?\s*\}/gm;
/** Any line that begins an entry, so that one in another form is found out and not left out. */
const BEGINNING = /^\s+[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+: \{\s*(?:\n\s*)?exit:/gm;

const unquote = (literal) => literal.slice(1, -1).replace(/\\(.)/g, '$1');

const entriesOf = (file) => {
  const source = readFileSync(join(root, file), 'utf8');
  const entries = [...source.matchAll(ENTRY)].map(([, code, exit, message]) => ({
    code,
    exit,
    message: unquote(message),
    file,
  }));
  const begun = [...source.matchAll(BEGINNING)].length;
  if (begun !== entries.length) {
    throw new Error(
      `${file}: ${begun} entries begin, ${entries.length} are of the form { exit, message: 'text' }`,
    );
  }
  return entries;
};

const roomEntries = (room) =>
  readdirSync(join(root, room), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => entriesOf(join(room, file)));

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const section = (room, entries) =>
  [
    `## ${room}`,
    '',
    '| code | exit | message |',
    '|---|---|---|',
    ...[...entries]
      .sort((a, b) => (a.code < b.code ? -1 : 1))
      .map(({ code, exit, message }) => `| \`${code}\` | ${exit} | ${cell(message)} |`),
    '',
  ].join('\n');

const rooms = ROOMS.map((room) => [room, roomEntries(room)]).filter(([, entries]) => entries.length > 0);
const owners = new Map();
for (const { code, file } of rooms.flatMap(([, entries]) => entries)) {
  if (owners.has(code))
    throw new Error(`${code} stands in ${owners.get(code)} and in ${file}; codes are unique`);
  owners.set(code, file);
}

const text = `# Errors

Every error that Quarry raises on purpose, by room. A code is stable and never reused; a caller of the library finds it in
\`error.code\`. \`exit\` is the exit status of a command: 1 the work failed, 2 usage or input was wrong. Words in braces are
filled in.

This page is made from the tables in the sources by \`node docs/errors.mjs\`; a test compares.

${rooms.map(([room, entries]) => section(room, entries)).join('\n')}`;

if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(join(root, 'docs/ERRORS.md'), text);
