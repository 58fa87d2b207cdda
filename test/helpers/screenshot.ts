/**
 * Screenshots of a page at desktop and phone width, in light and dark.
 * From a shell, after a build: node dist/test/helpers/screenshot.js FOLDER NAME=URL...
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';

const WIDTHS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
const SCHEMES = ['light', 'dark'] as const;

/** Writes FOLDER/NAME-WIDTH-SCHEME.png for both widths and schemes; returns the paths. */
export const takeScreenshots = async (
  browser: Browser,
  folder: string,
  pages: Readonly<Record<string, string>>,
): Promise<string[]> => {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const [width, viewport] of Object.entries(WIDTHS)) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      for (const [name, url] of Object.entries(pages)) {
        await page.goto(url);
        const path = join(folder, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path });
        paths.push(path);
      }
      await context.close();
    }
  }
  return paths;
};

const main = async ([folder, ...pages]: readonly string[]): Promise<void> => {
  if (folder === undefined || pages.length === 0) {
    process.stderr.write('usage: screenshot.js FOLDER NAME=URL...\n');
    process.exitCode = 2;
    return;
  }
  const named = Object.fromEntries(
    pages.map((page) => {
      const at = page.indexOf('=');
      return [page.slice(0, at), page.slice(at + 1)];
    }),
  );
  const browser = await launchBrowser();
  try {
    const paths = await takeScreenshots(browser, folder, named);
    process.stdout.write(paths.map((path) => `${path}\n`).join(''));
  } finally {
    await browser.close();
  }
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));
