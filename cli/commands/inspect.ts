import { inspectHtml, inspectRobots, inspectSimilar, inspectUrl } from '../../crawler/index.ts';
import { inspectAnalyze } from '../../shards/index.ts';
import type { Command, CommandContext } from '../command.ts';
import { failLine, jsonLines } from '../lines.ts';

type Case = Readonly<Record<string, unknown>>;
type Kind = 'string' | 'string?';

interface Inspection {
  /** Keys of a case, with their types; one of `oneOf` must be there too. */
  readonly keys: Readonly<Record<string, Kind>>;
  readonly oneOf?: readonly string[];
  readonly inspect: (value: Case) => unknown;
}

/** A case was checked against `keys` before it comes here. */
const checked =
  <Input>(inspect: (value: Input) => unknown) =>
  (value: Case): unknown =>
    inspect(value as unknown as Input);

const INSPECTIONS: Readonly<Record<string, Inspection>> = {
  url: { keys: { input: 'string', base: 'string?' }, inspect: checked(inspectUrl) },
  robots: {
    keys: { agent: 'string', url: 'string', robots: 'string?', robotsBase64: 'string?' },
    oneOf: ['robots', 'robotsBase64'],
    inspect: checked(inspectRobots),
  },
  html: {
    keys: { bodyBase64: 'string', url: 'string', contentType: 'string?', agent: 'string?' },
    inspect: checked(inspectHtml),
  },
  analyze: { keys: { text: 'string', lang: 'string?' }, inspect: checked(inspectAnalyze) },
  similar: { keys: { a: 'string', b: 'string' }, inspect: checked(inspectSimilar) },
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

const run = async ({ positionals, output, misuse }: CommandContext): Promise<number> => {
  const inspection = INSPECTIONS[positionals[0] ?? ''];
  if (inspection === undefined || positionals.length !== 1) throw misuse(`say what to inspect: ${NAMES}`);
  for await (const { line, value } of jsonLines(process.stdin)) {
    const reason = fault(inspection, value);
    if (reason !== '') throw failLine(line, reason);
    const report = inspection.inspect(value);
    output.result(report, () => JSON.stringify(report, undefined, 2));
  }
  return 0;
};

export const inspectCommand: Command = {
  name: 'inspect',
  takes: NAMES.replaceAll(' ', ''),
  summary: 'Shows how a URL, robots.txt, page or text is seen; cases as JSON lines on standard input.',
  options: [],
  run,
};
