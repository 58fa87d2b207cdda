import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'cheerio';
import { type DemoWeb, startDemoWeb } from '../../../cli/demo/index.ts';

const modulesFolder = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request as a crawler makes it: to the loopback address, the name in Host. */
const get = (
  web: DemoWeb,
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { host, pathname, search } = new URL(url);
    const options = {
      host: '127.0.0.1',
      port: web.port,
      path: pathname + search,
      method,
      headers: { host, ...headers },
    };
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject).end();
  });

interface Visit extends Reply {
  readonly links: readonly string[];
}

/** Breadth first over everything inside the web that robots.txt allows, redirects included. */
const visitAll = async (web: DemoWeb): Promise<Map<string, Visit>> => {
  const visits = new Map<string, Visit>();
  const queue = [...web.seeds];
  const hosts = new Set(web.seeds.map((seed) => new URL(seed).host));
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    if (visits.has(url)) continue;
    const reply = await get(web, url);
    const found: string[] = [];
    if (reply.status === 301) found.push(String(reply.headers['location']));
    if (String(reply.headers['content-type']).startsWith('text/html')) {
      const $ = load(reply.body);
      for (const element of $('a[href]')) {
        const href = $(element).attr('href') ?? '';
        if (URL.canParse(href, url)) found.push(new URL(href, url).href.replace(/#.*/s, ''));
      }
    }
    const links = found.filter((link) => hosts.has(new URL(link).host));
    visits.set(url, { ...reply, links });
    queue.push(...links.filter((link) => !new URL(link).pathname.startsWith('/-/')));
  }
  return visits;
};

const fingerprint = (visits: Map<string, Visit>, port: number): string => {
  const hash = createHash('sha256');
  for (const [url, { status, body }] of [...visits].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${url} ${status}\n${body}\n`.replaceAll(`:${port}/`, ':PORT/'));
  }
  return hash.digest('hex');
};

describe('demo web', () => {
  let web: DemoWeb;
  let visits: Map<string, Visit>;
  before(async () => {
    web = await startDemoWeb({ modulesFolder });
    visits = await visitAll(web);
  });
  after(() => web.close());

  it('has a few hundred pages on a few dozen hosts, all reachable by links', () => {
    const good = [...visits.values()].filter(({ status }) => status === 200);
    assert.ok(web.pageCount >= 200 && web.pageCount <= 1500, `${web.pageCount} pages`);
    assert.equal(good.length, web.pageCount);
    assert.ok(web.seeds.length >= 10, `${web.seeds.length} hosts`);
    assert.equal(new Set(web.seeds).size, web.seeds.length);
    assert.equal(web.seeds[0], `http://npm.localhost:${web.port}/`);
  });

  it('has dead links only where an author names a file that is not packed', () => {
    const dead = [...visits].filter(([, { status }]) => status === 404).map(([url]) => new URL(url));
    for (const { pathname } of dead) {
      const file = join(modulesFolder, decodeURIComponent(pathname));
      const isDocument =
        /\.(md|markdown|txt)$/i.test(file) && !/\/(node_modules|\.[^/]+)\//.test(pathname.slice(1));
      assert.ok(!(isDocument && existsSync(file)), `${pathname} is there but answers 404`);
    }
    assert.ok(dead.length < visits.size / 4, `${dead.length} dead of ${visits.size}`);
    const statuses = new Set([...visits.values()].map(({ status }) => status));
    assert.deepEqual(
      [...statuses].sort((a, b) => a - b),
      [200, 301, 404],
    );
  });

  it('links hosts to each other, in pages by their authors too', () => {
    const pairs = new Set<string>();
    let byAuthors = 0;
    for (const [url, { links, status }] of visits) {
      const from = new URL(url);
      for (const link of status === 200 ? links : []) {
        const to = new URL(link);
        if (to.hostname === from.hostname || to.hostname === 'npm.localhost') continue;
        pairs.add(`${from.hostname} ${to.hostname}`);
        if (/\.md$/i.test(from.pathname)) byAuthors++;
      }
    }
    assert.ok(pairs.size >= 50, `${pairs.size} pairs of hosts`);
    assert.ok(byAuthors >= 30, `${byAuthors} links of authors to other hosts`);
  });

  it('renders Markdown: headings with ids, code escaped, one title', async () => {
    const { body, headers } = await get(web, `http://fastify.localhost:${web.port}/fastify/README.md`);
    const $ = load(body);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal($('title').length, 1);
    assert.equal($('title').text(), 'fastify: README.md');
    assert.ok($('h2[id], h3[id]').length >= 3);
    assert.ok($('pre code').length >= 1);
    assert.equal($('html').attr('lang'), 'en');
    const guide = `http://fastify.localhost:${web.port}/fastify/docs/Guides/Getting-Started.md`;
    assert.equal(load((await get(web, guide)).body)('title').text(), 'Getting Started (fastify)');
  });

  it('redirects a package without its slash to its index page, which names what it depends on', async () => {
    const base = `http://fastify.localhost:${web.port}/fastify`;
    const moved = await get(web, base);
    assert.equal(moved.status, 301);
    assert.equal(moved.headers['location'], `${base}/`);
    const $ = load((await get(web, `${base}/`)).body);
    const links = $('a')
      .map((_index, element) => $(element).attr('href') ?? '')
      .get();
    assert.ok(links.includes(`${base}/README.md`));
    assert.ok(links.some((url) => url.endsWith('/find-my-way/') && !url.startsWith(base)));
  });

  it('answers conditional requests', async () => {
    const url = `http://fastify.localhost:${web.port}/fastify/README.md`;
    const first = await get(web, url);
    const etag = String(first.headers['etag']);
    const lastModified = String(first.headers['last-modified']);
    assert.match(etag, /^"[\w-]+"$/);
    assert.ok(Number.isFinite(Date.parse(lastModified)));
    assert.equal((await get(web, url, { 'if-none-match': etag })).status, 304);
    assert.equal((await get(web, url, { 'if-none-match': `"x", W/${etag}` })).status, 304);
    assert.equal(
      (await get(web, url, { 'if-none-match': '"x"', 'if-modified-since': lastModified })).status,
      200,
    );
    assert.equal((await get(web, url, { 'if-modified-since': lastModified })).status, 304);
    const earlier = 'Mon, 01 Jan 1979 00:00:00 GMT';
    assert.equal((await get(web, url, { 'if-modified-since': earlier })).status, 200);
  });

  it('serves sources that robots.txt forbids, plain text as such, and nothing else', async () => {
    const origin = `http://fastify.localhost:${web.port}`;
    assert.equal((await get(web, `${origin}/robots.txt`)).body, 'User-agent: *\nDisallow: /-/\n');
    const raw = await get(web, `${origin}/-/raw/fastify/README.md`);
    assert.equal(raw.headers['content-type'], 'text/markdown; charset=utf-8');
    const licence = await get(web, `${origin}/fastify/LICENSE`);
    assert.equal(licence.headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal((await get(web, `${origin}/fastify/package.json`)).status, 404);
    assert.equal((await get(web, `${origin}/fastify/../../package.json`)).status, 404);
    assert.equal((await get(web, `${origin}/fastify/`, { host: 'elsewhere.example' })).status, 404);
    const posted = await get(web, `${origin}/`, {}, 'POST');
    assert.equal(posted.status, 405);
    assert.equal(posted.headers['allow'], 'GET, HEAD');
    const head = await get(web, `${origin}/fastify/`, {}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.body, '');
  });

  it('resolves its own hosts only', async () => {
    for (const seed of web.seeds) {
      assert.deepEqual(await web.resolver.resolve(new URL(seed).hostname), ['127.0.0.1']);
    }
    await assert.rejects(web.resolver.resolve('example.org'), { code: 'ENOTFOUND' });
  });

  it('gives the same bytes for the same packages', async () => {
    await using again = await startDemoWeb({ modulesFolder });
    assert.equal(fingerprint(await visitAll(again), again.port), fingerprint(visits, web.port));
  });
});
