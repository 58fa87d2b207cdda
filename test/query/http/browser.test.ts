import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { createBroker, createServer, type SearchServer } from '../../../query/index.ts';
import { browserSkip, launchBrowser } from '../../helpers/browser.ts';
import { FakeNode, type FakePage, plainAnalyser } from '../../helpers/fake-node.ts';
import { samplePages } from '../../helpers/sample-pages.ts';

describe('the page in a browser', { skip: browserSkip() }, () => {
  let browser: Browser;
  let server: SearchServer;
  let start: string;
  let target: string;
  /** A site whose pages exist, so that a result can be followed. */
  const site = createHttpServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<title>Real page</title><p>${request.url === '/real' ? 'here' : 'elsewhere'}</p>`);
  });

  before(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const address = site.address();
    assert.ok(typeof address === 'object' && address !== null);
    target = `http://127.0.0.1:${address.port}/real`;
    const real: FakePage = { url: target, title: 'A real page', text: 'granite granite granite stream' };
    const node = new FakeNode({ pages: [real, ...samplePages], shards: [0, 1] });
    server = createServer({ broker: createBroker({ nodes: [node], analyser: plainAnalyser }), version: '1' });
    start = (await server.listen({ host: '127.0.0.1', port: 0 })).url;
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await server?.close();
    site.close();
  });

  /** Runs `use` on a fresh page and fails on anything that the browser complains about. */
  const withPage = async (
    options: BrowserContextOptions,
    use: (page: Page, context: BrowserContext) => Promise<void>,
  ): Promise<void> => {
    const context = await browser.newContext(options);
    const complaints: string[] = [];
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    try {
      await use(page, context);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  };
  const focused = (page: Page) =>
    page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()');

  it('types a query, follows a result and goes back, with the keyboard only', async () => {
    await withPage({}, async (page) => {
      await page.goto(start);
      assert.equal(await focused(page), 'q');
      await page.keyboard.type('granite stream');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/search?q=granite+stream*');
      assert.match(await page.title(), /granite stream/);
      assert.equal(await page.locator('.hit mark').first().textContent(), 'granite');
      await page.keyboard.press('/');
      assert.equal(await focused(page), 'q');
      await page.keyboard.press('ArrowDown');
      assert.equal(await focused(page), 'A real page');
      await page.keyboard.press('Enter');
      await page.waitForURL(target);
      assert.equal(await page.locator('p').textContent(), 'here');
      await page.goBack();
      await page.waitForURL('**/search?q=granite+stream*');
      assert.equal(await page.locator('#q').inputValue(), 'granite stream');
      assert.equal(await page.locator('.hit').count(), 10);
    });
  });

  it('moves between results with the arrows, and back to the box', async () => {
    await withPage({}, async (page) => {
      await page.goto(`${start}search?q=stream`);
      const titles = await page.locator('.hit .title').allTextContents();
      await page.keyboard.press('/');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      assert.equal(await focused(page), titles[1]);
      await page.keyboard.press('ArrowUp');
      assert.equal(await focused(page), titles[0]);
      await page.keyboard.press('ArrowUp');
      assert.equal(await focused(page), 'q');
      for (const _ of titles) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      assert.equal(await focused(page), titles.at(-1));
      await page.keyboard.press('Escape');
      assert.equal(await focused(page), 'q');
      await page.keyboard.type('a/b');
      assert.equal(await page.locator('#q').inputValue(), 'a/b');
    });
  });

  it('can be walked by Tab alone, from the skip link on', async () => {
    await withPage({}, async (page) => {
      await page.goto(`${start}search?q=stream`);
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), 'Skip to content');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), await page.locator('.hit .title').first().textContent());
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      assert.equal(outline, 'solid');
    });
  });

  it('works without script', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(start);
      await page.locator('#q').fill('stream');
      await page.locator('button').click();
      await page.waitForURL('**/search?q=stream*');
      assert.equal(await page.locator('.hit').count(), 10);
      await page.locator('a[rel=next]').click();
      await page.waitForURL('**from=10*');
      assert.match((await page.locator('.count').textContent()) ?? '', /Results 11 to 15 of 15/);
    });
  });

  for (const [name, width] of [
    ['phone', 320],
    ['phone', 390],
    ['desktop', 1280],
  ] as const) {
    it(`never scrolls sideways at ${name} width ${width}`, async () => {
      await withPage({ viewport: { width, height: 700 } }, async (page) => {
        const long = encodeURIComponent(`"${'x'.repeat(300)}" intitle:a`);
        for (const path of ['', 'search?q=stream', 'search?q=stream&from=10', `search?q=${long}`, 'status']) {
          await page.goto(start + path);
          const overhang = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
          assert.ok(overhang <= 0, `${path}: ${overhang} px`);
        }
      });
    });
  }

  it('keeps text readable in light and dark: contrast of at least 4.5', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await withPage({ colorScheme }, async (page) => {
        await page.goto(`${start}search?q=stream+intitle:x`);
        for (const selector of [
          '.title',
          '.crumbs',
          '.host',
          '.passage',
          'mark',
          '.meta',
          '.count',
          '.warnings li',
          '.search button',
          '.pages a',
          '.pages span',
          '.foot a',
        ]) {
          const ratio = Number(await page.evaluate(contrastScript(selector)));
          assert.ok(ratio >= 4.5, `${selector} in ${colorScheme}: ${ratio}`);
        }
      });
    }
  });
});

/** A script that gives the contrast of a text with what lies behind it (WCAG 2.2, relative luminance). */
const contrastScript = (selector: string): string => `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) => value / 255)
      .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const element = document.querySelector(${JSON.stringify(selector)});
  let behind = element;
  const paint = (node) => getComputedStyle(node).backgroundColor;
  while (/, 0\\)$|^transparent$/.test(paint(behind))) behind = behind.parentElement;
  const [a, b] = [luminance(getComputedStyle(element).color), luminance(paint(behind))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
})()`;
