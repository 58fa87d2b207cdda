import { MAX_QUERY_LENGTH } from '../../language/lexer.ts';
import type { AssetLink } from '../assets.ts';
import { type Html, html } from './html.ts';

export interface Shell {
  readonly title: string;
  readonly asset: AssetLink;
  /** Class of the body: which of the pages it is. */
  readonly kind: 'home' | 'results' | 'plain';
  readonly header: Html | undefined;
  readonly main: Html;
  readonly footer: Html | undefined;
}

const skipLink = html`<a class="skip" href="#main">Skip to content</a>`;

/** The document around every page. Scripts and styles are files, as the content security policy demands. */
export const renderShell = ({ title, asset, kind, header, main, footer }: Shell): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('search.css')}">
<link rel="search" type="application/opensearchdescription+xml" title="Quarry" href="/opensearch.xml">
<script type="module" src="${asset('search.js')}"></script>
</head>
<body class="${kind}">
${skipLink}
${header}
<main id="main" tabindex="-1">
${main}
</main>
${footer}
</body>
</html>
`.markup;

/** The box with its button; the form works without script. */
export const renderSearchForm = (
  query: string,
  focused: boolean,
): Html => html`<form class="search" action="/search" method="get" role="search">
<input id="q" type="search" name="q" value="${query}" aria-label="Search words" placeholder="Search"
  autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search" maxlength="${MAX_QUERY_LENGTH}" dir="auto"${
    focused ? html` autofocus` : undefined
  }>
<kbd class="hint" aria-hidden="true">/</kbd>
<button type="submit">Search</button>
</form>`;

export const renderLogo = (asset: AssetLink): Html =>
  html`<a class="logo" href="/"><img src="${asset('icon.svg')}" alt="" width="28" height="28"><span>Quarry</span></a>`;

export const renderHeader = (query: string, asset: AssetLink): Html => html`<header class="top">
${renderLogo(asset)}
${renderSearchForm(query, false)}
</header>`;

export const renderFooter = (): Html =>
  html`<footer class="foot"><nav aria-label="About"><a href="/status">Index status</a> <a href="/openapi.json">API</a></nav></footer>`;
