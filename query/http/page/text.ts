/** Milliseconds as a person reads them. */
export const formatMs = (ms: number): string =>
  ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Control and formatting characters could disguise where a link leads. */
const shown = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '');

/** A URL as a path for people: host, then the parts of its path and query, percent codes decoded. */
export const breadcrumbOf = (url: string): readonly string[] => {
  if (url.startsWith('id:')) return [shown(decoded(url.slice('id:'.length)))];
  if (!URL.canParse(url)) return [shown(url)];
  const { host, pathname, search } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const last = search === '' ? [] : [search];
  return [host, ...parts, ...last].map((part) => shown(decoded(part)));
};
