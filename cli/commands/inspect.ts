import { inspectHtml, inspectRobots, inspectSimilar, inspectUrl } from '../../crawler/index.ts';
import { ANALYSER_NAMES, createAnalyzeInspector } from '../../shards/index.ts';
import { type Command, type CommandContext, option } from '../command.ts';
import { failLine, jsonLines } from '../lines.ts';

type Case = Readonly<Record<string, unknown>>;
type Kind = 'string' | 'string?';

interface Inspection {
  /** Keys of a case, with their types; one of `oneOf` must be there too. */
  readonly keys: Readonly<Record<string, Kind>>;
  readonly oneOf?: readonly string[];
  /** Made once for all cases of a call. */
  readonly prepare: (settings: CommandContext['settings']) => (value: Case) => unknown;
}

/** A case was checked against `keys` before it comes here. */
const checked =
  <Input>(inspect: (value: Input) => unknown) =>
  (value: Case): unknown =>
    inspect(value as unknown as Input);

const always =
  <Input>(inspect: (value: Input) => unknown): Inspection['prepare'] =>
  () =>
    checked(inspect);

/** With --terms only the terms in their order: a whole corpus is dumped in a third of the bytes. */
const prepareAnalyze: Inspection['prepare'] = ({ analyzer = 'default', terms }) => {
  const inspect = createAnalyzeInspector(String(analyzer));
  if (terms !== true) return checked(inspect);
  return checked((asked: Parameters<typeof inspect>[0]) => ({
    terms: inspect(asked).tokens.map(({ term }) => term),
  }));
};

const INSPECTIONS: Readonly<Record<string, Inspection>> = {
  url: { keys: { input: 'string', base: 'string?' }, prepare: always(inspectUrl) },
  robots: {
    keys: { agent: 'string', url: 'string', robots: 'string?', robotsBase64: 'string?' },
    oneOf: ['robots', 'robotsBase64'],
    prepare: always(inspectRobots),
  },
  html: {
    keys: { bodyBase64: 'string', url: 'string', contentType: 'string?', agent: 'string?' },
    prepare: always(inspectHtml),
  },
  analyze: { keys: { text: 'string', lang: 'string?' }, prepare: prepareAnalyze },
  similar: { keys: { a: 'string', b: 'string' }, prepare: always(inspectSimilar) },
};
const NAMES = Object.keys(INSPECTIONS).join(' | ');

/** What is wrong with a case, '' when nothing is. */
const fault = ({ keys, oneOf }: Inspection, value: Case): string => {
  for (const [key, kind] of Object.entries(keys)) {
    const found = value[key];
    if (found === undefined && kind === 'string?') continue;
    if (typeof found !== 'string') return `"${key}" must be a string`;
  }
  const unknown = Object.keys(value).find((key) => !(key in keys));
  if (unknown !== undefined) return `"${unknown}" is unknown; a case has ${Object.keys(keys).join(', ')}`;
  if (oneOf !== undefined && !oneOf.some((key) => key in value)) return `needs ${oneOf.join(' or ')}`;
  return '';
};

const run = async ({ positionals, settings, output, misuse }: CommandContext): Promise<number> => {
  const inspection = INSPECTIONS[positionals[0] ?? ''];
  if (inspection === undefined || positionals.length !== 1) throw misuse(`say what to inspect: ${NAMES}`);
  const inspect = inspection.prepare(settings);
  for await (const { line, value } of jsonLines(process.stdin)) {
    const reason = fault(inspection, value);
    if (reason !== '') throw failLine(line, reason);
    const report = inspect(value);
    output.result(report, () => JSON.stringify(report, undefined, 2));
  }
  return 0;
};

export const inspectCommand: Command = {
  name: 'inspect',
  takes: NAMES.replaceAll(' ', ''),
  summary: 'Shows how a URL, robots.txt, page or text is seen; cases as JSON lines on standard input.',
  options: [
    option({
      flag: 'analyzer',
      default: 'default',
      help: `analyze: how text is cut into terms: ${ANALYSER_NAMES.join(', ')}`,
    }),
    option({ flag: 'terms', kind: 'boolean', help: 'analyze: print the terms alone' }),
  ],
  run,
};
