import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MAX_GROUPS } from '../../../query/language/draft.ts';
import { parseQuery } from '../../../query/language/parser.ts';
import { type PlanContext, planQuery } from '../../../query/language/planner.ts';
import { MAX_PREFIXES, prefixesOf } from '../../../query/language/prefixes.ts';
import { queryLanguages } from '../../../query/language/query-languages.ts';
import { createAnalyser, type QueryPlan, type TermGroup } from '../../../shards/index.ts';
import { FakeNode, plainAnalyser } from '../../helpers/fake-node.ts';

const pages = [
  { url: 'https://a.example/1', text: 'red apples run' },
  { url: 'https://a.example/2', text: 'an apple' },
  { url: 'https://a.example/3', text: 'running water' },
  { url: 'https://a.example/4', text: 'e mail' },
];
const statistics = await new FakeNode({ pages }).statistics();
const context: PlanContext = { statistics, analyser: plainAnalyser, mode: 'auto', languages: ['en'] };
const plan = (q: string, changes: Partial<PlanContext> = {}) =>
  planQuery(parseQuery(q), { ...context, ...changes });
const planned = (q: string, changes: Partial<PlanContext> = {}): QueryPlan => {
  const made = plan(q, changes).plan;
  assert.ok(made, `"${q}" has no plan`);
  return made;
};
const codes = (q: string) => plan(q).warnings.map(({ code }) => code);
const terms = (groups: readonly TermGroup[]) => groups.map((group) => group.terms);
const phraseTerms = (made: QueryPlan) =>
  made.phrases.map(({ words }) => terms(words.map(({ group }) => group)));
/** W of a term with `df` of the four pages, from the formula of docs/decisions/0002. */
const weight = (df: number, boost = 1, docCount = 4) =>
  Math.min(65535, Math.round(2048 * Math.log(1 + (docCount - df + 0.5) / (df + 0.5)) * boost));

describe('planQuery', () => {
  it('makes words optional, with one weight for all stems of a word', () => {
    const made = planned('red apples');
    assert.deepEqual(made.optional, [
      { terms: ['red'], weight: weight(1) },
      { terms: ['apple', 'apples'], weight: weight(2) },
    ]);
    assert.deepEqual([made.required, made.phrases, made.excluded, made.sites], [[], [], [], []]);
    assert.equal(made.epoch, 1);
  });

  it('treats an unknown word as one that a single page holds, and caps df at the number of pages', () => {
    assert.equal(planned('zebra').optional[0]?.weight, weight(1));
    const everywhere = { ...statistics, documentFrequency: () => 3 };
    assert.equal(planned('apples', { statistics: everywhere }).optional[0]?.weight, weight(4));
    const none = { ...statistics, docCount: 0, documentFrequency: () => 0 };
    assert.equal(planned('zebra', { statistics: none }).optional[0]?.weight, weight(1, 1, 1));
  });

  it('looks for a word that stands on every page of a large index', () => {
    const everywhere = { ...statistics, docCount: 1_000_000, documentFrequency: () => 1_000_000 };
    assert.deepEqual(planned('red', { statistics: everywhere }).optional, [{ terms: ['red'], weight: 1 }]);
  });

  it('turns a repeated word into weight, also after stemming, instead of a second group', () => {
    assert.deepEqual(planned('red red red').optional, [{ terms: ['red'], weight: weight(1, 3) }]);
    assert.deepEqual(planned('apple apples').optional, [
      { terms: ['apple', 'apples'], weight: weight(2, 2) },
    ]);
  });

  it('makes one word of a prefix, of its own terms and of those that the index knows', () => {
    const expansions = new Map([
      ['app', { terms: ['apple', 'appear'], isCut: false }],
      ['run', { terms: ['run', 'running'], isCut: true }],
    ]);
    const made = plan('Pears* app* -run* "wat*" absen*', { expansions });
    assert.deepEqual(terms(made.plan?.optional ?? []), [
      ['pear', 'pears'],
      ['app', 'apple', 'appear'],
      ['absen'],
    ]);
    assert.deepEqual(terms(made.plan?.excluded ?? []), [['run', 'running']]);
    assert.deepEqual(terms(made.plan?.required ?? []), [['wat']]);
    assert.deepEqual(made.warnings, [
      {
        code: 'prefix_cut',
        text: 'More than 2 words begin with run; the most frequent ones were searched.',
      },
    ]);
    const joined = planned('app*', { mode: 'and', expansions });
    assert.deepEqual(terms(joined.required), [['app', 'apple', 'appear']]);
  });

  it('looks up the first prefixes of a query alone', () => {
    const many = Array.from({ length: 12 }, (_, index) => `w${index}`);
    const tree = parseQuery(many.map((word) => `${word}*`).join(' '));
    assert.deepEqual(prefixesOf(tree.nodes, plainAnalyser), many.slice(0, MAX_PREFIXES));
    assert.deepEqual(codes(many.map((word) => `${word}*`).join(' ')), ['too_many_prefixes']);
  });

  it('reads as plain words what is the beginning of no word', () => {
    const made = plan('e-mai*');
    assert.deepEqual(terms(made.plan?.optional ?? []), [['e'], ['mai']]);
    assert.deepEqual(
      made.warnings.map(({ code }) => code),
      ['prefix_unreadable'],
    );
  });

  it('scores a word of a phrase once, in the phrase', () => {
    const made = planned('"red apples" red "red run"');
    assert.deepEqual(made.optional, []);
    const weights = made.phrases.map(({ words }) => words.map(({ group }) => group.weight));
    assert.deepEqual(weights, [
      [weight(1, 3), weight(2)],
      [0, weight(1)],
    ]);
    assert.deepEqual(
      made.phrases[0]?.words.map(({ offset }) => offset),
      [0, 1],
    );
  });

  it('scores overlapping words of different clauses in one group with all their terms', () => {
    const made = planned('"red apple" apples');
    assert.deepEqual(phraseTerms(made), [[['red'], ['apple']]]);
    assert.equal(made.phrases[0]?.words[1]?.group.weight, 0);
    assert.deepEqual(made.optional, [{ terms: ['apple', 'apples'], weight: weight(2, 2) }]);
  });

  it('reads a quoted single word as required', () => {
    assert.deepEqual(terms(planned('"red" water').required), [['red']]);
    assert.deepEqual(terms(planned('"red" "red"').required), [['red']]);
  });

  it('excludes words, phrases and sites', () => {
    const made = planned('red -apples -"hot water" -e-mail -site:b.example site:a.example/docs');
    assert.deepEqual(terms(made.excluded), [['apple', 'apples']]);
    assert.deepEqual(
      made.excludedPhrases.map(({ words }) => terms(words.map(({ group }) => group))),
      [
        [['hot'], ['water']],
        [['e'], ['mail']],
      ],
    );
    assert.deepEqual(made.sites, [{ host: 'a.example', pathPrefix: '/docs' }]);
    assert.deepEqual(made.excludedSites, [{ host: 'b.example', pathPrefix: '' }]);
  });

  it('keeps foo -foo as asked: nothing can match it, and its derivatives do not step in', () => {
    const made = planned('apples -apples');
    assert.deepEqual(terms(made.optional), terms(made.excluded));
  });

  it('reads a cut word alone as a phrase that may loosen, beside others as words', () => {
    const alone = plan('e-mail');
    assert.deepEqual(alone.plan && phraseTerms(alone.plan), [[['e'], ['mail']]]);
    assert.deepEqual(alone.plan?.optional, []);
    assert.deepEqual(alone.loosened && terms(alone.loosened.plan.optional), [['e'], ['mail']]);
    const beside = plan('e-mail water');
    assert.equal(beside.loosened, undefined);
    assert.deepEqual(beside.plan && terms(beside.plan.optional), [['e'], ['mail'], ['water']]);
  });

  it('asks for a compound as written, and loosens to its pieces when it stands alone', () => {
    const analyser = createAnalyser('default');
    const made = plan('C++ node.js', { analyser }).plan;
    assert.deepEqual(made && terms(made.optional), [['c++'], ['node.js']]);
    const phrase = plan('"node.js streams"', { analyser }).plan?.phrases[0];
    assert.deepEqual(
      phrase?.words.map(({ group, offset }) => [group.terms[0], offset]),
      [
        ['node.js', 0],
        ['stream', 2],
      ],
    );
    const alone = plan('node.js', { analyser });
    assert.deepEqual(alone.plan && terms(alone.plan.optional), [['node.js']]);
    assert.deepEqual(alone.loosened?.marks, [['node'], ['js']]);
    assert.equal(plan('node', { analyser }).loosened, undefined);
    const bigrams = plan('東京都庁', { analyser });
    assert.deepEqual(bigrams.plan && phraseTerms(bigrams.plan), [[['東京'], ['京都'], ['都庁']]]);
  });

  it('marks words but those that stand on nearly every page, unless there is no other or a phrase asks', () => {
    const marks = (q: string) =>
      plan(q, {
        statistics: { ...statistics, documentFrequency: (term) => ({ an: 4, apple: 1 })[term] ?? 0 },
      }).marks;
    assert.deepEqual(marks('an apple'), [['apple']]);
    assert.deepEqual(marks('an'), [['an']]);
    assert.deepEqual(marks('an unknown'), [['an'], ['unknown']]);
    assert.deepEqual(marks('"an apple"'), [['an'], ['apple']]);
  });

  it('follows the mode', () => {
    assert.deepEqual(terms(planned('red water', { mode: 'and' }).required), [['red'], ['water']]);
    assert.deepEqual(phraseTerms(planned('red -hot water', { mode: 'phrase' })), [[['red'], ['water']]]);
    assert.deepEqual(terms(planned('e-mail', { mode: 'or' }).optional), [['e'], ['mail']]);
    assert.deepEqual(terms(planned('a "red water"', { mode: 'or' }).optional), [['a'], ['red'], ['water']]);
    assert.deepEqual(terms(planned('a "red water"', { mode: 'and' }).required), [['a'], ['red'], ['water']]);
    assert.deepEqual(phraseTerms(planned('a "red water"', { mode: 'phrase' })), [
      [['a'], ['red'], ['water']],
    ]);
  });

  it('says why nothing can match', () => {
    assert.equal(plan('').plan, undefined);
    assert.deepEqual(codes(''), ['empty_query']);
    assert.deepEqual(codes('-red'), ['only_exclusions']);
    assert.deepEqual(codes('-site:a.example'), ['only_exclusions']);
    const mute = { ...plainAnalyser, analyseQuery: () => [] };
    assert.deepEqual(
      plan('red', { analyser: mute }).warnings.map(({ code }) => code),
      ['no_searchable_terms'],
    );
    assert.deepEqual(planned('site:a.example -red').sites.length, 1);
  });

  it('keeps to 64 groups and says so', () => {
    const words = Array.from({ length: 100 }, (_, index) => `w${index}`);
    assert.equal(planned(words.join(' ')).optional.length, MAX_GROUPS);
    assert.deepEqual(codes(words.join(' ')), ['too_many_terms']);
    assert.equal(planned(`"${words.join(' ')}"`).phrases[0]?.words.length, MAX_GROUPS);
    assert.deepEqual(codes('red '.repeat(100)), []);
    assert.deepEqual(planned(`${words.slice(0, 64).join(' ')} -red`).excluded, []);
  });

  it('never exceeds the limits nor counts a term twice, whatever the words', () => {
    const word = fc.constantFrom(
      'a',
      'as',
      'cats',
      'cat',
      'dog',
      'x-y',
      '"cats dog"',
      '"dog as"',
      '"cat"',
      '-cats',
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 90 }),
        fc.constantFrom('auto', 'or', 'and', 'phrase'),
        (list, mode) => {
          const made = plan(list.join(' '), { mode }).plan;
          if (made === undefined) return;
          const phraseGroups = made.phrases.flatMap(({ words }) => words.map(({ group }) => group));
          const excludedGroups = made.excludedPhrases.flatMap(({ words }) => words);
          const scored = [...made.optional, ...made.required, ...phraseGroups].filter(
            (group) => group.weight > 0,
          );
          const named = scored.flatMap((group) => group.terms);
          assert.equal(new Set(named).size, named.length);
          assert.ok(scored.length <= MAX_GROUPS);
          const unscored = made.excluded.length + excludedGroups.length;
          assert.ok(made.required.length + phraseGroups.length + unscored <= MAX_GROUPS);
        },
      ),
    );
  });
});

describe('queryLanguages', () => {
  it('takes the languages above the share, the most frequent ones first', () => {
    const languages = [
      { lang: 'de', docCount: 60 },
      { lang: '', docCount: 20 },
      { lang: 'en', docCount: 15 },
      { lang: 'fr', docCount: 5 },
    ];
    const some = { ...statistics, docCount: 100, languages };
    assert.deepEqual(queryLanguages(some, { minLanguageShare: 0.1, maxLanguages: 4 }), ['de', 'en']);
    assert.deepEqual(queryLanguages(some, { minLanguageShare: 0, maxLanguages: 1 }), ['de']);
  });
});
