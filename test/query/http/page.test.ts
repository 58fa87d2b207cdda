import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import { prefersJson } from '../../../query/http/accept.ts';
import { html, safeHref } from '../../../query/http/page/html.ts';
import { breadcrumbOf, formatMs } from '../../../query/http/page/text.ts';
import { isLoopback } from '../../../query/http/security.ts';
import { type Broker, createBroker, createServer } from '../../../query/index.ts';
import { FakeNode, plainAnalyser } from '../../helpers/fake-node.ts';

type Node = ReturnType<typeof parseDocument>['children'][number];

/** All elements of a page, as a browser's parser would find them. */
const elementsOf = (markup: string) => {
  const found: { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[] = [];
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if ('name' in node && 'attribs' in node) found.push({ name: node.name, attributes: node.attribs });
      if ('children' in node) visit(node.children as Node[]);
    }
  };
  visit(parseDocument(markup).children);
  return found;
};

const ATTACKS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><script>alert(1)</script>',
  '<!--<script>',
  '&lt;script&gt;',
  '</mark></p><iframe src=javascript:alert(1)>',
  '\u202egnp.exe',
];

/** Serves an answer whose every text is `text` and whose only URL is `url`. */
const serve = (text: string, url: string) => {
  const broker: Pick<Broker, 'search' | 'overview'> = {
    search: async ({ q }) => ({
      query: q,
      interpreted: text,
      warnings: [{ code: 'operator_unsupported', text }],
      total: { value: 1, relation: 'eq' },
      took: { parse: 0, queue: 0, search: 0, merge: 0, fetch: 0, total: 0 },
      partial: false,
      epoch: 1,
      shards: { total: 1, ok: 1, truncated: 0, failed: 0, timedOut: 0 },
      missing: [],
      coverage: { docs: 1, total: 1 },
      tiers: { high: 'searched', low: 'searched', exact: true },
      hits: [
        {
          url,
          title: text,
          snippet: [
            { text, hit: false },
            { text, hit: true },
          ],
          score: 1,
          site: text,
          lang: text,
          type: text,
          fetchedAt: '2026-01-02T03:04:05.000Z',
        },
      ],
    }),
    overview: async () => ({
      epoch: 1,
      docCount: 1,
      languages: [{ lang: text, docCount: 1 }],
      drift: {
        documents: 0,
        averageLengths: { title: 0, headings: 0, emphasis: 0, body: 0, anchor: 0, url: 0 },
        frequencies: undefined,
      },
      contributions: [],
      nodes: [{ generation: 1, error: text, shards: [] }],
    }),
  };
  return createServer({ broker: broker as Broker, version: text });
};

const getPage = async (text: string, path: string, url = 'https://a.example/') => {
  const response = await serve(text, url).inject({ url: path, headers: { accept: 'text/html' } });
  return response.body;
};

const assertHarmless = (markup: string): void => {
  for (const { name, attributes } of elementsOf(markup)) {
    assert.ok(!['iframe', 'object', 'embed', 'style', 'base'].includes(name), name);
    if (name === 'script') assert.match(attributes['src'] ?? '', /^\/assets\/search\.js\?v=/);
    if (name === 'img') assert.match(attributes['src'] ?? '', /^\/assets\/icon\.svg/);
    for (const [attribute, value] of Object.entries(attributes)) {
      assert.doesNotMatch(attribute, /^on|^style$/i);
      if (attribute === 'href') assert.match(value, /^(https?:\/\/|\/|#main$|$)/);
    }
  }
};

describe('pages and hostile text', () => {
  for (const attack of ATTACKS) {
    it(`shows ${JSON.stringify(attack)} as text`, async () => {
      const query = encodeURIComponent(attack);
      for (const path of [`/search?q=${query}`, '/status', '/', `/search?q=a&from=${query}`, `/${query}`]) {
        assertHarmless(await getPage(attack, path));
      }
      const found = elementsOf(await getPage(attack, `/search?q=${query}`));
      const plain = elementsOf(await getPage('harmless', '/search?q=harmless'));
      const extra = found.length - plain.length;
      assert.ok(extra === 0 || extra === 1, 'only the line on how the query was read may be more');
    });
  }

  it('whatever the text, the page has the elements of the page', async () => {
    const text = fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', '/', 'a', 'script', '=', ' ', '-', '!'),
    });
    await fc.assert(
      fc.asyncProperty(text, async (attack) => {
        assertHarmless(await getPage(attack, `/search?q=a${encodeURIComponent(attack)}`));
      }),
      { numRuns: 100 },
    );
  });

  it('never links a URL that could run', async () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,<script>',
      ' JaVaScRiPt:alert(1)',
      'id:x',
      'vbscript:x',
    ]) {
      const title = elementsOf(await getPage('t', '/search?q=t', url)).find(
        ({ attributes }) => attributes['class'] === 'title',
      );
      assert.equal(title?.attributes['href'], `/api/page?url=${encodeURIComponent(url)}`, url);
    }
  });

  it('links and marks real results', async () => {
    const pages = [
      { url: 'https://a.example/x?y=1&z=2', title: 'A <b>bold</b> title', text: 'fish & chips' },
    ];
    const broker = createBroker({ nodes: [new FakeNode({ pages })], analyser: plainAnalyser });
    const { body } = await createServer({ broker, version: '1' }).inject({
      url: '/search?q=chips',
      headers: { accept: 'text/html' },
    });
    assert.match(body, /href="https:\/\/a\.example\/x\?y=1&amp;z=2"/);
    assert.match(body, /A &lt;b&gt;bold&lt;\/b&gt; title/);
    assert.match(body, /fish &amp; <mark>chips<\/mark>/);
  });
});

describe('html', () => {
  it('escapes values and keeps markup made by itself', () => {
    const inner = html`<i>${'<'}</i>`;
    assert.equal(
      html`<p title="${`"'`}">${inner}${['&', inner]}${undefined}${0}</p>`.markup,
      '<p title="&quot;&#39;"><i>&lt;</i>&amp;<i>&lt;</i>0</p>',
    );
  });

  it('reads back as the text that went in', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const [node] = parseDocument(html`<p>${text}</p>`.markup).children;
        assert.ok(node && 'children' in node);
        const inner = node.children.map((child) => ('data' in child ? child.data : '?')).join('');
        assert.equal(inner, text);
      }),
    );
  });

  it('safeHref lets http and https through only', () => {
    assert.equal(safeHref('https://a.example/x y'), 'https://a.example/x%20y');
    assert.equal(safeHref('HTTP://A.example'), 'http://a.example/');
    for (const url of ['javascript:1', 'data:,x', 'id:1', '//a.example', 'nothing', 'file:///etc/passwd']) {
      assert.equal(safeHref(url), undefined, url);
    }
  });
});

describe('text for people', () => {
  it('breadcrumbs', () => {
    assert.deepEqual(breadcrumbOf('https://a.example:8080/docs/caf%C3%A9/?q=1'), [
      'a.example:8080',
      'docs',
      'café',
      '?q=1',
    ]);
    assert.deepEqual(breadcrumbOf('https://a.example/%E0%A4%A'), ['a.example', '%E0%A4%A']);
    assert.deepEqual(breadcrumbOf('https://a.example/x%E2%80%AEfdp.exe'), ['a.example', 'xfdp.exe']);
    assert.deepEqual(breadcrumbOf('id:report%201'), ['report 1']);
    assert.deepEqual(breadcrumbOf('nothing'), ['nothing']);
  });

  it('times', () => {
    assert.deepEqual([0.2, 12.6, 1500].map(formatMs), ['1 ms', '13 ms', '1.5 s']);
  });
});

describe('prefersJson', () => {
  const cases: readonly (readonly [string | undefined, boolean])[] = [
    [undefined, false],
    ['*/*', false],
    ['application/json', true],
    ['text/html,application/json', false],
    ['text/html;q=0.5, application/json', true],
    ['application/*;q=0.9, text/html;q=0.8', true],
    ['application/json;q=0', false],
    ['application/json, */*;q=0.1', true],
    ['text/*, application/json;q=0.9', false],
    ['nonsense', false],
  ];
  for (const [accept, expected] of cases) {
    it(`${accept} → ${expected}`, () => assert.equal(prefersJson(accept), expected));
  }
});

describe('isLoopback', () => {
  it('knows the addresses that only this machine reaches', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost', 'x.localhost'])
      assert.ok(isLoopback(host), host);
    for (const host of ['0.0.0.0', '::', '192.168.0.1', 'example.org', '128.0.0.1']) {
      assert.ok(!isLoopback(host), host);
    }
  });
});
