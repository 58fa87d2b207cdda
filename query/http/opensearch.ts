import { escapeText } from './page/html.ts';

/** OpenSearch 1.1 description, with which a browser offers this server as a search engine. */
export const openSearchDescription = (origin: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Quarry</ShortName>
<Description>Search the pages of this index</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="16" height="16" type="image/svg+xml">${escapeText(origin)}/assets/icon.svg</Image>
<Url type="text/html" method="get" template="${escapeText(origin)}/search?q={searchTerms}&amp;from={startIndex?}" indexOffset="0"/>
<Url type="application/json" method="get" template="${escapeText(origin)}/api/search?q={searchTerms}&amp;k={count?}&amp;from={startIndex?}" indexOffset="0"/>
</OpenSearchDescription>
`;
