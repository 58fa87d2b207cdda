import type { AnswerHit } from '../../broker/answer.ts';
import { type Html, html, safeHref } from './html.ts';
import { breadcrumbOf } from './text.ts';

const storedCopyLink = (url: string): string => `/api/page?url=${encodeURIComponent(url)}`;

const renderPassage = (snippet: AnswerHit['snippet']): Html | undefined =>
  snippet.length === 0
    ? undefined
    : html`<p class="passage" dir="auto">${snippet.map(({ text, hit }) =>
        hit ? html`<mark>${text}</mark>` : html`${text}`,
      )}</p>`;

const renderBreadcrumb = (url: string): Html => {
  const [first = '', ...rest] = breadcrumbOf(url);
  return html`<p class="crumbs"><bdi class="host">${first}</bdi>${rest.map(
    (part) => html`<span class="sep" aria-hidden="true"> › </span><bdi>${part}</bdi>`,
  )}</p>`;
};

const titleOf = ({ title, url }: AnswerHit): string => title.trim() || breadcrumbOf(url).at(-1) || url;

/** One result. A document without a web address links to its stored copy. */
export const renderHit = (hit: AnswerHit): Html => {
  const stored = storedCopyLink(hit.url);
  const day = hit.fetchedAt.slice(0, 10);
  return html`<li class="hit">
<h2><a class="title" href="${safeHref(hit.url) ?? stored}" dir="auto">${titleOf(hit)}</a></h2>
${renderBreadcrumb(hit.url)}
${renderPassage(hit.snippet)}
<p class="meta"><time datetime="${hit.fetchedAt}">${day}</time> <a href="${stored}">Stored copy</a></p>
</li>`;
};
