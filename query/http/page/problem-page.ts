import type { AssetLink } from '../assets.ts';
import type { Problem } from '../schemas.ts';
import { html } from './html.ts';
import { renderFooter, renderHeader, renderShell } from './layout.ts';

/** A problem for a person: what is wrong, and a box to go on from. */
export const renderProblemPage = ({ title, status, detail }: Problem, asset: AssetLink): string =>
  renderShell({
    title: `${title} – Quarry`,
    asset,
    kind: 'plain',
    header: renderHeader('', asset),
    main: html`<h1>${title}</h1>
<p>${detail}</p>
<p class="meta">Status ${status}</p>`,
    footer: renderFooter(),
  });
