import { readFileSync } from 'node:fs';

/** The package's description lies above dist/, from where this file runs. */
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** Version of this program. */
export const VERSION = version;
