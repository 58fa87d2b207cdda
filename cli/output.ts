import { writeSync } from 'node:fs';

/**
 * Where a command's words go: results to standard output (text for people, or one JSON object per line),
 * progress and warnings to standard error.
 */
export interface Output {
  readonly json: boolean;
  /** A result: the object with --json, else the text. */
  result(object: unknown, text: () => string): void;
  /** A remark for people; nothing with --quiet. */
  note(text: string): void;
  /** A warning is said also with --quiet. */
  warn(text: string): void;
}

/** Written at once, so that nothing is lost when the process ends; a closed pipe (`| head`) ends it quietly. */
const write = (descriptor: number, text: string): void => {
  const bytes = Buffer.from(text);
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(descriptor, bytes, offset);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN') throw error;
    }
  }
};

/** Output to the process's own descriptors 1 and 2. */
export const createOutput = (options: { readonly json: boolean; readonly quiet: boolean }): Output => ({
  json: options.json,
  result: (object, text) => write(1, options.json ? `${toJson(object)}\n` : withNewline(text())),
  note: (text) => {
    if (!options.quiet) write(2, withNewline(text));
  },
  warn: (text) => write(2, withNewline(text)),
});

const withNewline = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

const toJson = (object: unknown): string =>
  JSON.stringify(object, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
