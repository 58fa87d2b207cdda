import { styleText } from 'node:util';
import { type Answer, type AnswerHit, openIndex } from '../../index.ts';
import { TIER_RULES } from '../../query/index.ts';
import { formatCount, type ScoreExplanation } from '../../shards/index.ts';
import { type Command, option } from '../command.ts';
import { fitWords, plain } from '../terminal-text.ts';

type Style = Parameters<typeof styleText>[0];

/** Colours on a terminal only. */
const styled = (style: Style, text: string): string =>
  process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? styleText(style, text) : text;

/** Under a hit's rank. */
const INDENT = '    ';
/** undefined where nothing needs to fit: no terminal, or one that does not tell its width. */
const usableColumns = (): number | undefined => {
  const { isTTY, columns } = process.stdout;
  return isTTY && columns > INDENT.length ? columns - INDENT.length : undefined;
};

/** Fits the terminal, if there is one. */
const shown = (text: string): string => fitWords(plain(text), usableColumns());

const describeFactors = ({ value, what, parts = [] }: ScoreExplanation, depth: number): string[] => [
  `${'  '.repeat(depth)}${value}  ${plain(what)}`,
  ...parts.flatMap((part) => describeFactors(part, depth + 1)),
];

const describeHit = (hit: AnswerHit, rank: number): string => {
  const snippet = hit.snippet.map((piece) =>
    piece.hit ? styled('bold', shown(piece.text)) : shown(piece.text),
  );
  return [
    `${String(rank).padStart(2)}. ${styled('bold', shown(hit.title === '' ? hit.url : hit.title))}`,
    `${INDENT}${styled('green', shown(hit.url))}`,
    ...(snippet.length === 0 ? [] : [`${INDENT}${snippet.join('')}`]),
    ...(hit.explanation === undefined ? [] : describeFactors(hit.explanation, 2)),
    '',
  ].join('\n');
};

const describeAnswer = (answer: Answer): string => {
  const { total, took, hits, warnings, shards } = answer;
  const count = total.relation === 'eq' ? formatCount(total.value) : `more than ${formatCount(total.value)}`;
  const missing = shards.total - shards.ok;
  return [
    ...hits.map((hit, index) => describeHit(hit, index + 1)),
    ...warnings.map(({ text }) => `note: ${shown(text)}`),
    ...(answer.tiers.exact ? [] : ['note: only the best part of the index was searched']),
    ...(answer.partial ? [`note: ${missing} of ${shards.total} shards did not answer in full`] : []),
    `${count} ${total.value === 1 ? 'page' : 'pages'} in ${took.total.toFixed(1)} ms, read as: ${shown(answer.interpreted)}`,
  ].join('\n');
};

export const searchCommand: Command = {
  name: 'search',
  takes: 'WORDS…',
  summary: 'Answers one query: words, "phrases", -minus, begin*, site:HOST.',
  options: [
    option({ flag: 'top', short: 'k', kind: 'integer', default: 10, help: 'hits wanted' }),
    option({
      flag: 'tier',
      default: 'auto',
      help: `which part of the index to search: ${TIER_RULES.join(', ')}`,
      placeholder: 'RULE',
    }),
    option({ flag: 'explain', kind: 'boolean', help: 'tell how each score came about' }),
  ],
  run: async ({ data, settings, positionals, output, signal, misuse }) => {
    if (positionals.length === 0) throw misuse('give the words to search for');
    const tier = TIER_RULES.find((rule) => rule === (settings['tier'] ?? 'auto'));
    if (tier === undefined) throw misuse(`--tier is one of ${TIER_RULES.join(', ')}`);
    await using index = await openIndex({ data });
    const answer = await index.search({
      q: positionals.join(' '),
      k: Number(settings['top'] ?? 10),
      tier,
      explain: settings['explain'] === true,
      signal,
    });
    output.result(answer, () => describeAnswer(answer));
    return 0;
  },
};
