import { formatCount, pluralOf } from '../../../shards/index.ts';
import type { Answer } from '../../broker/answer.ts';
import type { IndexOverview } from '../../broker/broker.ts';
import { MAX_FROM } from '../../broker/request.ts';
import type { AssetLink } from '../assets.ts';
import { renderHit } from './hit.ts';
import { type Html, html } from './html.ts';
import { renderFooter, renderHeader, renderLogo, renderSearchForm, renderShell } from './layout.ts';
import { formatMs } from './text.ts';

/** Results on one page. */
export const PAGE_SIZE = 10;
const PAGES_AROUND = 4;

const searchLink = (query: string, from: number): string => {
  const parameters = new URLSearchParams({ q: query });
  if (from > 0) parameters.set('from', String(from));
  return `/search?${parameters.toString()}`;
};

const OPERATORS = [
  { example: '"exact words"', meaning: 'words in this order' },
  { example: 'apples -pears', meaning: 'leave pages with a word out' },
  { example: 'appl*', meaning: 'words that begin so' },
  { example: 'site:example.org/docs', meaning: 'one site, or a part of it' },
] as const;

const renderOperators = (): Html => html`<dl class="operators" aria-label="How to search">
${OPERATORS.map(
  ({ example, meaning }) => html`<div><dt><code>${example}</code></dt><dd>${meaning}</dd></div>
`,
)}</dl>`;

/** The page before a query: a box, what it searches, how to ask. */
export const renderHomePage = (overview: IndexOverview | undefined, asset: AssetLink): string =>
  renderShell({
    title: 'Quarry',
    asset,
    kind: 'home',
    header: undefined,
    main: html`<h1>${renderLogo(asset)}</h1>
${renderSearchForm('', true)}
<p class="size">${
      overview === undefined
        ? 'The index does not answer at the moment.'
        : `${pluralOf(overview.docCount, 'page')} to search`
    }</p>
${renderOperators()}`,
    footer: renderFooter(),
  });

const countOf = ({ total, hits }: Answer, from: number): string => {
  const atLeast = total.relation === 'gte' ? 'At least ' : '';
  const all = `${atLeast}${pluralOf(total.value, 'result')}`;
  if (from === 0 || hits.length === 0) return all;
  return `Results ${formatCount(from + 1)} to ${formatCount(from + hits.length)} of ${
    total.relation === 'gte' ? 'at least ' : ''
  }${formatCount(total.value)}`;
};

/** How the query was read, when that differs from how it was written. */
const renderReading = ({ query, interpreted }: Answer): Html | undefined =>
  query.trim().replace(/\s+/g, ' ') === interpreted
    ? undefined
    : html`<p class="reading">Read as <bdi>${interpreted === '' ? 'nothing' : interpreted}</bdi></p>`;

const renderPartial = ({ partial, shards, coverage }: Answer): Html | undefined => {
  if (!partial) return undefined;
  const missing = shards.total - shards.ok;
  const share = coverage.total === 0 ? 0 : Math.floor((100 * coverage.docs) / coverage.total);
  return html`<p class="notice" role="status"><strong>This answer is not complete.</strong> ${formatCount(missing)} of ${pluralOf(shards.total, 'shard')} did not answer in full; ${share} % of the pages were searched. <a href="">Try again</a></p>`;
};

const renderWarnings = ({ warnings }: Answer): Html | undefined =>
  warnings.length === 0
    ? undefined
    : html`<ul class="warnings">${warnings.map(({ text }) => html`<li>${text}</li>`)}</ul>`;

const renderPaging = (answer: Answer, from: number): Html | undefined => {
  const { query, total } = answer;
  const current = Math.floor(from / PAGE_SIZE);
  const known = Math.ceil(Math.min(total.value, MAX_FROM + PAGE_SIZE) / PAGE_SIZE);
  if (known <= 1 && current === 0) return undefined;
  const link = (page: number, label: string, rel: string): Html =>
    html`<li><a class="step" href="${searchLink(query, page * PAGE_SIZE)}" rel="${rel}">${label}</a></li>`;
  const first = Math.max(0, Math.min(current - PAGES_AROUND, known - 1 - 2 * PAGES_AROUND));
  const last = Math.min(known - 1, first + 2 * PAGES_AROUND);
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return html`<nav class="pages" aria-label="Pages of results"><ul>
${current > 0 ? link(Math.min(current - 1, Math.max(0, known - 1)), '‹ Previous', 'prev') : undefined}
${numbers.map((page) =>
  page === current
    ? html`<li class="number"><span aria-current="page" aria-label="Page ${page + 1}">${page + 1}</span></li>`
    : html`<li class="number"><a href="${searchLink(query, page * PAGE_SIZE)}" aria-label="Page ${page + 1}">${page + 1}</a></li>`,
)}
${current + 1 < known ? link(current + 1, 'Next ›', 'next') : undefined}
</ul></nav>`;
};

/** What to do when there is nothing, with links where a looser query can be made of this one. */
const renderNothing = (answer: Answer, from: number): Html => {
  const { interpreted, total } = answer;
  const unquoted = interpreted.replaceAll('"', '');
  const everywhere = interpreted
    .replace(/-?site:\S+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const ways = [
    from > 0 && total.value > 0
      ? html`<a href="${searchLink(answer.query, 0)}">Go to the first page of results</a>`
      : undefined,
    interpreted.includes('"') && unquoted !== ''
      ? html`Search the words <a href="${searchLink(unquoted, 0)}">in any order</a>`
      : undefined,
    interpreted.includes('site:') && everywhere !== ''
      ? html`Search <a href="${searchLink(everywhere, 0)}">all sites</a>`
      : undefined,
    html`Check the spelling, or try fewer and more general words`,
  ];
  return html`<section class="nothing" aria-label="No results">
<p class="headline">${from > 0 && total.value > 0 ? 'There are no results this far down' : 'No page matches'}</p>
<ul>${ways.flatMap((way) => (way === undefined ? [] : [html`<li>${way}</li>`]))}</ul>
${renderOperators()}
</section>`;
};

/** The page of an answer. */
export const renderResultsPage = (answer: Answer, from: number, asset: AssetLink): string =>
  renderShell({
    title: `${answer.query} – Quarry`,
    asset,
    kind: 'results',
    header: renderHeader(answer.query, asset),
    main: html`<h1 class="unseen">Search results</h1>
<p class="count" role="status" aria-live="polite">${countOf(answer, from)} <span class="took">in ${formatMs(answer.took.total)}</span></p>
${renderReading(answer)}
${renderWarnings(answer)}
${renderPartial(answer)}
${
  answer.hits.length === 0
    ? renderNothing(answer, from)
    : html`<ol class="hits" start="${from + 1}">${answer.hits.map(renderHit)}</ol>`
}
${renderPaging(answer, from)}`,
    footer: renderFooter(),
  });
