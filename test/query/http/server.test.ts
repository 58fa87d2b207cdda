import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { describe, it } from 'node:test';
import { createBroker, createServer, type ServerOptions } from '../../../query/index.ts';
import { FIELD_NAMES, type ShardClient } from '../../../shards/index.ts';
import { FakeNode, type FakePage, plainAnalyser } from '../../helpers/fake-node.ts';

const pages: FakePage[] = Array.from({ length: 25 }, (_, index) => ({
  url: `https://fruit.example/docs/${index}`,
  title: `Apple ${index}`,
  text: index === 7 ? 'a red apple pie' : 'an apple',
}));

const serverOver = (nodes: readonly ShardClient[], more: Partial<ServerOptions> = {}) =>
  createServer({ broker: createBroker({ nodes, analyser: plainAnalyser }), version: '1.2.3', ...more });
const server = serverOver([new FakeNode({ pages, shards: [0, 1] })]);
const deaf = serverOver([]);
const asBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const asProgram = { accept: 'application/json' };

const getJson = async (url: string, from = server) => {
  const response = await from.inject({ url });
  return { status: response.statusCode, type: response.headers['content-type'], body: response.json() };
};

describe('GET /api/search', () => {
  it('answers in the shape that its schema promises', async () => {
    const { status, type, body } = await getJson('/api/search?q=red+pie&k=3');
    assert.equal(status, 200);
    assert.match(String(type), /^application\/json/);
    assert.deepEqual(Object.keys(body), [
      'query',
      'interpreted',
      'warnings',
      'total',
      'took',
      'partial',
      'epoch',
      'shards',
      'missing',
      'coverage',
      'tiers',
      'hits',
    ]);
    assert.deepEqual(Object.keys(body.took), ['parse', 'queue', 'search', 'merge', 'fetch', 'total']);
    assert.deepEqual(body.total, { value: 1, relation: 'eq' });
    assert.deepEqual(body.tiers, { high: 'searched', low: 'searched', exact: true });
    assert.deepEqual(Object.keys(body.hits[0]), [
      'url',
      'title',
      'snippet',
      'score',
      'site',
      'lang',
      'type',
      'fetchedAt',
    ]);
    assert.equal(body.hits[0].url, 'https://fruit.example/docs/7');
    assert.deepEqual(body.hits[0].snippet[1], { text: 'red', hit: true });
  });

  it('pages by from and k, explains and leaves passages out on request', async () => {
    const all = (await getJson('/api/search?q=apple&k=25')).body.hits;
    const { body } = await getJson('/api/search?q=apple&k=5&from=20&snippet=0&explain=1');
    assert.deepEqual(
      body.hits.map(({ url }: { url: string }) => url),
      all.slice(20).map(({ url }: { url: string }) => url),
    );
    assert.deepEqual(body.hits[0].snippet, []);
    assert.deepEqual(body.hits[0].explanation, { value: body.hits[0].score, what: 'score', parts: [] });
    assert.deepEqual((await getJson('/api/search?q=apple&k=0')).body.hits, []);
  });

  const bad: readonly (readonly [string, string, RegExp])[] = [
    ['/api/search', 'q', /is missing/],
    ['/api/search?q=a&k=101', 'k', /<= 100/],
    ['/api/search?q=a&k=-1', 'k', />= 0/],
    ['/api/search?q=a&k=ten', 'k', /integer/],
    ['/api/search?q=a&k=', 'k', /integer/],
    ['/api/search?q=a&from=1001', 'from', /<= 1000/],
    ['/api/search?q=a&explain=yes', 'explain', /0, 1/],
    ['/api/search?q=a&kk=1', 'kk', /not a parameter/],
    ['/api/search?q=a&q=b', 'q', /string/],
    ['/api/page', 'url', /is missing/],
  ];
  for (const [url, name, detail] of bad) {
    it(`refuses ${url} and says where`, async () => {
      const { status, type, body } = await getJson(url);
      assert.equal(status, 400);
      assert.match(String(type), /^application\/problem\+json/);
      assert.equal(body.title, 'Bad Request');
      assert.equal(body.status, 400);
      assert.deepEqual([body.errors[0].in, body.errors[0].name], ['query', name]);
      assert.match(body.errors[0].detail, detail);
      assert.match(body.detail, detail);
    });
  }

  it('is no error for any query, however odd', async () => {
    for (const q of [
      '',
      '"',
      '-',
      '((((',
      '-a',
      'site:',
      '%00',
      'a'.repeat(5000),
      '"a b',
      'OR',
      '\u{1f600}',
    ]) {
      const { status, body } = await getJson(`/api/search?q=${encodeURIComponent(q)}`);
      assert.equal(status, 200, q);
      assert.equal(body.query, q);
    }
  });

  it('is 503 without a shard, with a hint when to come back', async () => {
    const response = await deaf.inject({ url: '/api/search?q=a' });
    assert.equal(response.statusCode, 503);
    assert.equal(response.headers['retry-after'], '1');
    assert.equal(response.json().code, 'QUERY_NO_SHARD');
  });

  it('keeps the insides of an error from clients and tells the operator', async () => {
    const heard: string[] = [];
    const node = new FakeNode({ pages });
    const broken = createBroker({
      nodes: [node],
      analyser: { ...plainAnalyser, analyseQuery: () => assert.fail('secret of the house') },
    });
    const failing = createServer({
      broker: broken,
      version: '1',
      onError: ({ message }) => heard.push(message),
    });
    const { status, body } = await getJson('/api/search?q=a', failing);
    assert.equal(status, 500);
    assert.doesNotMatch(JSON.stringify(body), /secret/);
    assert.deepEqual(heard, ['secret of the house']);
  });
});

describe('other routes for programs', () => {
  it('/api/page gives the stored copy as text, 404 for an unknown page', async () => {
    const found = await server.inject({
      url: `/api/page?url=${encodeURIComponent('https://fruit.example/docs/7')}`,
    });
    assert.equal(found.statusCode, 200);
    assert.equal(found.headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(found.headers['content-language'], 'en');
    assert.equal(found.headers['last-modified'], 'Fri, 02 Jan 2026 03:04:05 GMT');
    assert.equal(found.headers['x-robots-tag'], 'noindex');
    assert.equal(found.body, 'Apple 7\n\na red apple pie');
    const missing = await getJson('/api/page?url=https://fruit.example/none');
    assert.deepEqual([missing.status, missing.body.status], [404, 404]);
    assert.match(String(missing.type), /problem\+json/);
  });

  it('/api/status tells what the index holds', async () => {
    const { body } = await getJson('/api/status');
    const { nodes, drift, ...rest } = body;
    assert.equal(drift.documents, 0);
    assert.deepEqual(Object.keys(drift.averageLengths), [...FIELD_NAMES]);
    const languages = [{ lang: 'en', docCount: 25 }];
    assert.deepEqual(rest, { version: '1.2.3', epoch: 1, docCount: 25, languages, contributions: [] });
    assert.deepEqual(Object.keys(nodes[0]).sort(), ['generation', 'shards']);
    const shards: { shard: number; docCount: number }[] = nodes[0].shards;
    assert.deepEqual(
      shards.map(({ shard }) => shard),
      [0, 1],
    );
    assert.equal(
      shards.reduce((sum, { docCount }) => sum + docCount, 0),
      25,
    );
  });

  it('/healthz lives without shards, /readyz does not', async () => {
    assert.deepEqual((await getJson('/healthz', deaf)).body, { status: 'ok' });
    assert.deepEqual((await getJson('/readyz')).body, { status: 'ready' });
    assert.equal((await getJson('/readyz', deaf)).status, 503);
  });

  it('/openapi.json describes the routes that exist, with their parameters', async () => {
    const { body } = await getJson('/openapi.json');
    assert.equal(body.openapi, '3.1.0');
    assert.equal(body.info.version, '1.2.3');
    for (const path of Object.keys(body.paths)) {
      const { status } = await getJsonStatus(`${path}?q=apple&url=https://fruit.example/docs/1`, path);
      assert.equal(status, 200, path);
    }
    const { parameters, responses } = body.paths['/api/search'].get;
    assert.deepEqual(
      parameters.map(({ name, required }: { name: string; required: boolean }) => [name, required]),
      [
        ['q', true],
        ['k', false],
        ['from', false],
        ['snippet', false],
        ['tier', false],
        ['explain', false],
      ],
    );
    assert.equal(parameters.find(({ name }: { name: string }) => name === 'k').schema.maximum, 100);
    assert.ok(responses['200'].content['application/json'].schema.properties.hits);
  });

  /** Asks a documented route with only the parameters that it documents. */
  const getJsonStatus = async (url: string, path: string) => {
    const wanted = path === '/api/page' ? url.replace('q=apple&', '') : url.replace(/&url=.*/, '');
    const response = await server.inject({ url: wanted });
    return { status: response.statusCode };
  };

  it('/metrics counts requests by route, stages and answers', async () => {
    const own = serverOver([new FakeNode({ pages })]);
    for (const url of ['/api/search?q=a', '/search?q=b', '/api/search', '/nothing'])
      await own.inject({ url });
    const response = await own.inject({ url: '/metrics' });
    assert.match(String(response.headers['content-type']), /^text\/plain; version=0\.0\.4/);
    for (const line of [
      'quarry_http_request_seconds_count{route="/api/search",status="200"} 1',
      'quarry_http_request_seconds_count{route="/api/search",status="400"} 1',
      'quarry_http_request_seconds_count{route="/search",status="200"} 1',
      'quarry_http_request_seconds_count{route="none",status="404"} 1',
      'quarry_search_stage_seconds_count{stage="search"} 2',
      'quarry_answers_total{completeness="complete"} 2',
      'quarry_index_documents 25',
      'quarry_statistics_epoch 1',
      'quarry_statistics_drift{of="documents"} 0',
      'quarry_statistics_shards_silent 0',
      'quarry_nodes_down 0',
    ]) {
      assert.ok(response.body.split('\n').includes(line), line);
    }
    assert.equal((await deaf.inject({ url: '/metrics' })).statusCode, 200);
  });

  it('/opensearch.xml names this server, escaped', async () => {
    const response = await server.inject({
      url: '/opensearch.xml',
      headers: { host: 'search.example:8080' },
    });
    assert.match(String(response.headers['content-type']), /opensearchdescription\+xml/);
    assert.match(response.body, /template="http:\/\/search\.example:8080\/search\?q=\{searchTerms\}/);
    const odd = await server.inject({ url: '/opensearch.xml', headers: { host: 'x"><script>' } });
    assert.doesNotMatch(odd.body, /<script>/);
  });

  it('has no routes of later versions', async () => {
    for (const url of ['/api/suggest?q=a', '/api/links?url=a', '/widget.js', '/nothing']) {
      const { status, type } = await getJson(url);
      assert.equal(status, 404, url);
      assert.match(String(type), /problem\+json/);
    }
  });
});

describe('pages', () => {
  const getPage = (url: string, from = server) => from.inject({ url, headers: asBrowser });

  it('the start page has a box, the size of the index, and how to ask', async () => {
    const response = await getPage('/');
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(response.body, /<input id="q" type="search" name="q" value=""[^>]* autofocus>/);
    assert.match(response.body, /25 pages to search/);
    assert.match(response.body, /<code>-?site:/);
    assert.match((await getPage('/', deaf)).body, /does not answer/);
  });

  it('the result page shows hits, count and pages', async () => {
    const { body, headers } = await getPage('/search?q=apple&from=10');
    assert.equal(headers['x-robots-tag'], 'noindex');
    assert.match(String(headers['vary']), /accept/);
    assert.equal(body.match(/<li class="hit">/g)?.length, 10);
    assert.match(body, /Results 11 to 20 of 25/);
    assert.match(body, /href="\/search\?q=apple" rel="prev"/);
    assert.match(body, /href="\/search\?q=apple&amp;from=20" rel="next"/);
    assert.match(body, /<span aria-current="page" aria-label="Page 2">2<\/span>/);
    assert.match(body, /<mark>apple<\/mark>/);
    assert.match(body, /value="apple"/);
    assert.equal((await getPage('/?q=apple&from=10')).body.match(/<li class="hit">/g)?.length, 10);
  });

  it('gives JSON to a client that asks for it', async () => {
    const response = await server.inject({ url: '/search?q=pie', headers: asProgram });
    assert.equal(response.json().hits.length, 1);
    assert.equal((await server.inject({ url: '/?q=pie', headers: asProgram })).json().hits.length, 1);
    assert.equal((await server.inject({ url: '/status', headers: asProgram })).json().docCount, 25);
  });

  it('helps when nothing matches, and shows warnings', async () => {
    const { body } = await getPage(
      `/search?q=${encodeURIComponent('"pie apple" site:fruit.example intitle:x')}`,
    );
    assert.match(body, /No page matches/);
    assert.match(body, /in any order/);
    assert.match(body, /all sites/);
    assert.match(body, /intitle: is not supported yet/);
    assert.match(body, /Read as <bdi>&quot;pie apple&quot; site:fruit\.example x<\/bdi>/);
    assert.match((await getPage('/search?q=apple&from=500')).body, /no results this far down/);
    assert.match((await getPage('/search?q=-apple')).body, /only says what to leave out/);
  });

  it('says when the answer is partial', async () => {
    const halves = [0, 1].map(
      (part) =>
        new FakeNode({
          pages: pages.filter((_, index) => index % 2 === part),
          allPages: pages,
          shards: [part],
        }),
    );
    const [good, bad] = halves;
    assert.ok(good && bad);
    bad.search = () => Promise.reject(new Error('down'));
    const { body } = await getPage('/search?q=apple', serverOver([good, bad]));
    assert.match(body, /This answer is not complete/);
    assert.match(body, /1 of 2 shards did not answer in full; 52 % of the pages/);
    assert.match(body, /At least 13 results/);
  });

  it('shows problems as pages to people', async () => {
    const bad = await getPage('/search?q=a&from=9999');
    assert.equal(bad.statusCode, 400);
    assert.match(String(bad.headers['content-type']), /text\/html/);
    assert.match(bad.body, /&quot;from&quot; must be &lt;= 1000/);
    assert.equal((await getPage('/nowhere')).statusCode, 404);
    const down = await getPage('/search?q=a', deaf);
    assert.deepEqual([down.statusCode, /Service Unavailable/.test(down.body)], [503, true]);
  });

  it('/status lists the shards', async () => {
    const { body } = await getPage('/status');
    assert.match(body, /<caption>Shards<\/caption>/);
    assert.match(body, /1\.02 KB/);
    assert.match(body, /English/);
  });

  it('static files may be kept for ever under their hash only', async () => {
    const { body } = await getPage('/');
    const [, url = ''] = /href="(\/assets\/search\.css\?v=[^"]+)"/.exec(body) ?? [];
    const kept = await server.inject({ url });
    assert.match(String(kept.headers['content-type']), /text\/css/);
    assert.match(String(kept.headers['cache-control']), /immutable/);
    const plain = await server.inject({ url: '/assets/search.css' });
    assert.equal(plain.headers['cache-control'], 'no-cache');
    const again = await server.inject({ url, headers: { 'if-none-match': String(kept.headers['etag']) } });
    assert.equal(again.statusCode, 304);
    for (const name of ['nothing.css', '..%2f..%2fserver.js', 'constructor']) {
      assert.equal((await server.inject({ url: `/assets/${name}` })).statusCode, 404, name);
    }
  });
});

describe('safety', () => {
  it('every answer carries the security headers', async () => {
    for (const url of [
      '/',
      '/search?q=apple',
      '/api/search?q=a',
      '/api/search',
      '/nothing',
      '/assets/search.js',
    ]) {
      const { headers } = await server.inject({ url });
      assert.match(String(headers['content-security-policy']), /default-src 'none'/, url);
      assert.doesNotMatch(String(headers['content-security-policy']), /unsafe/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
    }
  });

  it('a token closes all but health and static files', async () => {
    const closed = serverOver([new FakeNode({ pages })], { token: 's3cret' });
    const ask = async (url: string, authorization?: string) =>
      (await closed.inject({ url, ...(authorization === undefined ? {} : { headers: { authorization } }) }))
        .statusCode;
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
    for (const url of ['/', '/search?q=a', '/api/search?q=a', '/status', '/nothing', '/openapi.json']) {
      assert.equal(await ask(url), 401, url);
    }
    assert.equal(await ask('/healthz'), 200);
    assert.equal(await ask('/assets/search.css'), 200);
    for (const wrong of ['Bearer', 'Bearer x', 'Basic', basic('s3cret:x'), basic('a:'), 's3cret', '']) {
      assert.equal(await ask('/', wrong), 401, wrong);
    }
    assert.equal(await ask('/', 'Bearer s3cret'), 200);
    assert.equal(await ask('/', basic('anyone:s3cret')), 200);
    assert.equal(
      (await closed.inject({ url: '/' })).headers['www-authenticate'],
      'Basic realm="Quarry", charset="UTF-8"',
    );
  });
});

describe('listening', () => {
  it('does not listen under a signal that is aborted already', async () => {
    const late = serverOver([new FakeNode({ pages })], { signal: AbortSignal.abort(new Error('over')) });
    await assert.rejects(late.listen({ host: '127.0.0.1', port: 0 }), { message: 'over' });
    await late.close();
  });

  it('lets go of its signal when closed', async () => {
    const { signal } = new AbortController();
    const live = serverOver([new FakeNode({ pages })], { signal });
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    await live.close();
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('serves over a socket until closed or told to stop', async () => {
    const stop = new AbortController();
    const live = serverOver([new FakeNode({ pages })], { signal: stop.signal });
    const { url } = await live.listen({ host: '127.0.0.1', port: 0 });
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const response = await fetch(`${url}api/search?q=pie`);
    assert.equal(((await response.json()) as { total: { value: number } }).total.value, 1);
    stop.abort();
    await live.close();
    await assert.rejects(fetch(url));
  });

  it('stops searching for a client that went away, and is not troubled by it', async () => {
    const heard: Error[] = [];
    const node = new FakeNode({ pages });
    const asked = new Promise<AbortSignal>((resolve) => {
      node.search = (_, signal) => {
        if (signal !== undefined) resolve(signal);
        return new Promise(() => undefined);
      };
    });
    const live = serverOver([node], { onError: (error) => heard.push(error) });
    const { url } = await live.listen({ host: '127.0.0.1', port: 0 });
    const client = new AbortController();
    const response = fetch(`${url}api/search?q=pie`, { signal: client.signal }).catch(() => 'left');
    const signal = await asked;
    client.abort();
    assert.equal(await response, 'left');
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await live.close();
    assert.deepEqual(heard, []);
  });

  it('names the port that is in use', async () => {
    const other = createTcpServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    assert.ok(typeof address === 'object' && address !== null);
    const late = serverOver([new FakeNode({ pages })]);
    await assert.rejects(late.listen({ host: '127.0.0.1', port: address.port }), {
      code: 'QUERY_PORT_IN_USE',
      exit: 1,
      message: new RegExp(`port ${address.port} on 127\\.0\\.0\\.1 is in use`),
    });
    other.close();
    await late.close();
  });

  it('refuses a host that is not of this machine', async () => {
    const lost = serverOver([new FakeNode({ pages })]);
    await assert.rejects(lost.listen({ host: '192.0.2.1', port: 0 }), { code: 'QUERY_BAD_HOST', exit: 2 });
    await lost.close();
  });

  it('warns when others can reach it without a token', async () => {
    const heard: string[] = [];
    const onWarning = (text: string) => heard.push(text);
    const listenOn = async (host: string, more: Partial<ServerOptions> = {}) => {
      const live = serverOver([new FakeNode({ pages })], { onWarning, ...more });
      await live.listen({ host, port: 0 }).catch(() => undefined);
      await live.close();
    };
    await listenOn('127.0.0.1');
    await listenOn('127.1', { token: 'x' });
    // Nobody reaches a server that could not listen.
    await listenOn('192.0.2.1');
    assert.deepEqual(heard, []);
    // Loopback in a spelling that is not taken for it, so that the test opens nothing to others.
    await listenOn('127.1');
    assert.equal(heard.length, 1);
    assert.match(heard[0] ?? '', /127\.1 without a token/);
  });
});
