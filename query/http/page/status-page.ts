import { formatBytes, formatCount } from '../../../shards/index.ts';
import type { IndexOverview } from '../../broker/broker.ts';
import type { AssetLink } from '../assets.ts';
import { type Html, html } from './html.ts';
import { renderFooter, renderHeader, renderShell } from './layout.ts';

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

const nameOfLanguage = (lang: string): string => {
  if (lang === '') return 'unknown';
  try {
    return languageNames.of(lang) ?? lang;
  } catch {
    return lang;
  }
};

const renderShards = ({
  nodes,
}: IndexOverview): Html => html`<div class="scroll" role="region" aria-label="Shards" tabindex="0"><table>
<caption>Shards</caption>
<thead><tr><th scope="col">Shard</th><th scope="col">Pages</th><th scope="col">Deleted</th><th scope="col">Segments</th><th scope="col">Size</th><th scope="col">Generation</th></tr></thead>
<tbody>
${nodes.flatMap(({ shards, generation }) =>
  shards.map(
    (
      shard,
    ) => html`<tr><th scope="row">${shard.shard}</th><td>${formatCount(shard.docCount)}</td><td>${formatCount(shard.deletedCount)}</td><td>${shard.segmentCount}</td><td>${formatBytes(shard.bytes)}</td><td>${generation}</td></tr>
`,
  ),
)}</tbody></table></div>`;

const renderLanguages = ({
  languages,
}: IndexOverview): Html => html`<div class="scroll" role="region" aria-label="Languages" tabindex="0"><table>
<caption>Languages</caption>
<thead><tr><th scope="col">Language</th><th scope="col">Pages</th></tr></thead>
<tbody>
${languages.map(
  ({ lang, docCount }) =>
    html`<tr><th scope="row"><bdi>${nameOfLanguage(lang)}</bdi></th><td>${formatCount(docCount)}</td></tr>
`,
)}</tbody></table></div>`;

const renderTroubles = ({ nodes }: IndexOverview): Html | undefined => {
  const troubles = nodes.flatMap(({ error }, index) =>
    error === undefined ? [] : [html`<li>Node ${index + 1}: <bdi>${error}</bdi></li>`],
  );
  return troubles.length === 0
    ? undefined
    : html`<div class="notice" role="status"><strong>Nodes that do not answer</strong><ul>${troubles}</ul></div>`;
};

/** What the index holds and who serves it. */
export const renderStatusPage = (overview: IndexOverview, version: string, asset: AssetLink): string => {
  const bytes = overview.nodes.flatMap(({ shards }) => shards).reduce((sum, shard) => sum + shard.bytes, 0);
  return renderShell({
    title: 'Index status – Quarry',
    asset,
    kind: 'plain',
    header: renderHeader('', asset),
    main: html`<h1>Index status</h1>
${renderTroubles(overview)}
<dl class="figures">
<div><dt>Pages</dt><dd>${formatCount(overview.docCount)}</dd></div>
<div><dt>Size</dt><dd>${formatBytes(bytes)}</dd></div>
<div><dt>Statistics epoch</dt><dd>${overview.epoch}</dd></div>
<div><dt>Version</dt><dd>${version}</dd></div>
</dl>
${renderShards(overview)}
${overview.languages.length === 0 ? undefined : renderLanguages(overview)}`,
    footer: renderFooter(),
  });
};
