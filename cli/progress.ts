import type { Clock } from '../shards/index.ts';

/** Shows one line that says how far the work is: rewritten in place on a terminal, now and then elsewhere. */
export interface Progress {
  update(line: string): void;
  /** Writes a line above the live one. */
  say(line: string): void;
  close(): void;
}

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  readonly clock: Clock;
  readonly quiet: boolean;
}

const TERMINAL_INTERVAL_MS = 150;
const PLAIN_INTERVAL_MS = 10_000;

/** Cuts to the terminal's width, so that the line does not wrap and can be rewritten. */
const fit = (line: string, columns: number): string =>
  line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;

/** A live line on a terminal; on anything else a plain line every ten seconds. */
export const createProgress = ({ stream, clock, quiet }: ProgressOptions): Progress => {
  const live = stream.isTTY === true;
  const intervalMs = live ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
  let lastMs = live ? Number.NEGATIVE_INFINITY : clock.monotonicMs();
  let shown = false;
  const clear = (): void => {
    if (shown) stream.write('\r\u001b[2K');
    shown = false;
  };
  return {
    update: (line) => {
      const nowMs = clock.monotonicMs();
      if (quiet || nowMs - lastMs < intervalMs) return;
      lastMs = nowMs;
      clear();
      stream.write(live ? fit(line, stream.columns ?? 80) : `${line}\n`);
      shown = live;
    },
    say: (line) => {
      if (quiet) return;
      clear();
      stream.write(`${line}\n`);
    },
    close: clear,
  };
};
