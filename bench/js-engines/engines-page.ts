import { JOINS } from '../engines/engine.ts';
import type { Machine, Measurement } from '../report.ts';

/** Columns of the table: heading, metric, digits behind the point. */
const COLUMNS: readonly (readonly [heading: string, metric: string, digits: number])[] = [
  ['build, CPU s', 'build, CPU s', 1],
  ['build, s', 'build, s', 1],
  ['memory, MB', 'memory to serve, MB', 0],
  ...JOINS.map((mode) => [`${mode.toUpperCase()}, µs`, `µs/query ${mode}, mean`, 0] as const),
  ...JOINS.map((mode) => [`${mode.toUpperCase()}, shared`, `overlap with ours ${mode}`, 2] as const),
];

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

const rowOf = (subject: string, figures: readonly Measurement[]): string => {
  const limit = figures.find(({ values }) => values.every((value) => Number.isNaN(value)));
  if (limit !== undefined) return row([subject, limit.metric, ...COLUMNS.slice(1).map(() => '')]);
  const cells = COLUMNS.map(([, wanted, digits]) => {
    const value = figures.find(({ metric }) => metric === wanted)?.values[0];
    if (value === undefined) return '–';
    return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  });
  return row([subject, ...cells]);
};

/** The comparison as a page of the documentation. */
export const enginesPage = (measurements: readonly Measurement[], machine: Machine): string => {
  const subjects = [...new Set(measurements.map(({ subject }) => subject))];
  const documents = Math.max(...measurements.map(({ context }) => Number(context?.['documents'] ?? 0)));
  const head = row(['engine', ...COLUMNS.map(([heading]) => heading)]);
  const rule = row(['---', ...COLUMNS.map(() => '---:')]);
  const rows = subjects.map((subject) =>
    rowOf(
      subject,
      measurements.filter((measurement) => measurement.subject === subject),
    ),
  );
  const { cpu, cores, node, quarry } = machine;
  return `# How does Quarry compare with search engines inside Node.js?

${documents.toLocaleString('en-US')} pages of the docs corpus (documentation of Debian packages), spread evenly over it; the words of \`queries/docs-corpus.txt\`; ten
hits. This page is written by

    npm run bench -- js-engines --page docs/ENGINES.md

${head}${rule}${rows.join('')}
${cpu}, ${cores} cores, Node.js ${node}, Quarry ${quarry}. Compare the rows; another machine has other figures.

- **Build**: from texts in memory to an index that answers; ours also reads the file, keeps the pages, and is durable on the disk.
- **Memory**: what serving takes. For the others heap, buffers and database after indexing less those before; for ours the largest resident
  set of the serving process, Node.js and the kernels included.
- **µs**: inside the engine, per query the best of the rounds, the mean over the queries; of an engine that has not answered all of them
  after 20 s, over the first ones. Of ours with all fields and default scoring.
- **Shared**: mean share of our ten that the engine's ten hold. A dash: the engine has no such mode.
- An engine that needs more than 4 GB of heap or ten minutes is named with the limit that it reached.

Each engine runs in a process of its own, with its defaults over title and text: see [bench/js-engines](../bench/js-engines/README.md).
`;
};
