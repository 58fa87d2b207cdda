import { get } from 'node:http';
import { load } from 'cheerio';
import { localWebHosts } from '../local-web.ts';

/** Reads a page of the running local web: media type and body. */
type FetchPage = (url: string) => Promise<{ readonly type: string; readonly body: string }>;

/** The web's hosts are reached by their addresses, so that no name server is needed. */
export const createFetchPage = async (): Promise<FetchPage> => {
  const lines = (await localWebHosts()).trim().split('\n');
  const addresses = new Map(
    lines.flatMap((line) => {
      const [address = '', ...names] = line.split(/\s+/);
      return names.map((name) => [name, address] as const);
    }),
  );
  return (url) =>
    new Promise((resolve, reject) => {
      const { hostname, host, port, pathname, search } = new URL(url);
      const target = { host: addresses.get(hostname), port, path: pathname + search, headers: { host } };
      get(target, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', () =>
          resolve({
            type: response.headers['content-type'] ?? '',
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
        response.once('error', reject);
      }).once('error', reject);
    });
};

const NOT_SHOWN = 'script, style, noscript, template';

/** Title and visible words of a page, read by a DOM and not by our own parser; white space does not count. */
export const wordsOf = (type: string, body: string): string => {
  if (!/html/.test(type)) return body.replace(/\s+/g, '');
  const $ = load(body);
  const title = $('title').first().text();
  $(NOT_SHOWN).remove();
  return `${title} ${$('body').text()}`.replace(/\s+/g, '');
};
