/**
 * Exit status that an error means for a command: 1 the work failed, 2 the usage or the input was wrong.
 */
export type ExitStatus = 1 | 2;

/** One row of an error table. */
export interface ErrorEntry {
  readonly exit: ExitStatus;
  /** One sentence: what happened, where, and what to do. `{name}` is replaced from the details. */
  readonly message: string;
}

export interface QuarryErrorOptions {
  readonly code: string;
  readonly exit: ExitStatus;
  readonly cause?: unknown;
}

/** Every error that a caller may want to tell apart. `code` is stable and never reused. */
export class QuarryError extends Error {
  readonly code: string;
  readonly exit: ExitStatus;

  constructor(message: string, options: QuarryErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'QuarryError';
    this.code = options.code;
    this.exit = options.exit;
  }
}

type Details = Readonly<Record<string, string | number>>;

/**
 * Makes a room's error factory from its table, so that all messages of a room stand in one place.
 * Usage: `const fail = defineErrors({ CRAWL_NO_SEED: { exit: 1, message: '…{seed}…' } })`,
 * then `throw fail('CRAWL_NO_SEED', { seed }, cause)`.
 */
export const defineErrors =
  <Table extends Readonly<Record<string, ErrorEntry>>>(table: Table) =>
  (code: keyof Table & string, details: Details = {}, cause?: unknown): QuarryError => {
    const { exit, message } = table[code] as ErrorEntry;
    const text = message.replace(/\{(\w+)\}/g, (whole, name: string) => String(details[name] ?? whole));
    return new QuarryError(text, { code, exit, ...(cause === undefined ? {} : { cause }) });
  };
