import type { NormalUrl } from './ids.ts';

/** A document without URL lives under `id:` and its percent-encoded id. */
export const idUrl = (id: string): NormalUrl => `id:${encodeURIComponent(id)}` as NormalUrl;

/** The id of an `id:` name, undefined for a real URL. */
export const idOfUrl = (url: NormalUrl): string | undefined =>
  url.startsWith('id:') ? decodeURIComponent(url.slice(3)) : undefined;

/** Host without port, '' for an `id:` name. */
export const hostOfUrl = (url: NormalUrl): string => (url.startsWith('id:') ? '' : new URL(url).hostname);

/**
 * Sort key of documents in a segment: reversed host labels, port, path and query. Compared as code units it puts
 * near pages next to each other, so that their ids are near and gaps are small (IIR 5.3, notes of the WebGraph papers).
 */
export const segmentOrderKey = (url: NormalUrl): string => {
  if (url.startsWith('id:')) return url;
  const { hostname, port, protocol, pathname, search } = new URL(url);
  const reversedHost = hostname.split('.').reverse().join('.');
  return `${reversedHost}\u0000${port}\u0000${pathname}${search}\u0000${protocol}`;
};

/** Inverse of segmentOrderKey. */
export const urlOfOrderKey = (orderKey: string): NormalUrl => {
  const [reversedHost = '', port = '', path = '', protocol] = orderKey.split('\u0000');
  if (protocol === undefined) return orderKey as NormalUrl;
  const host = reversedHost.split('.').reverse().join('.');
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}${path}` as NormalUrl;
};
