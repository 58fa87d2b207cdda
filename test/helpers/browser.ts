import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Path of a Chromium that stands in PATH or at Debian's place; undefined when there is none. */
export const findChromium = (): string | undefined => {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
};

/**
 * Why a browser test is left out: false where a browser is found. Under CI a missing browser is no excuse, so that the
 * test runs and launchBrowser fails.
 */
export const browserSkip = (): string | false =>
  findChromium() === undefined && (process.env['CI'] ?? '') === '' ? 'no Chromium in PATH' : false;

/** Starts Chromium without a window; in containers its own sandbox cannot work. */
export const launchBrowser = (): Promise<Browser> => {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium in PATH: install the package chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
};
