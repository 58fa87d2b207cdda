import { parseArgs } from 'node:util';
import { fail } from './errors.ts';

/** Defaults of a tool's options, by name; all take text. */
type Defaults = Readonly<Record<string, string>>;

/** Reads `--name value` words. @throws BENCH_BAD_OPTION */
export const readOptions = <Names extends Defaults>(
  args: readonly string[],
  defaults: Names,
): Record<keyof Names, string> => {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string' as const, default: value }]),
  );
  try {
    return parseArgs({ args: [...args], options }).values as Record<keyof Names, string>;
  } catch (error) {
    const known = Object.keys(defaults).map((name) => `--${name}`);
    throw fail(
      'BENCH_BAD_OPTION',
      { reason: `${(error as Error).message} (options: ${known.join(', ')})` },
      error,
    );
  }
};

/** @throws BENCH_BAD_OPTION */
export const wholeNumber = (name: string, value: string): number => {
  if (!/^[1-9]\d*$/.test(value)) {
    throw fail('BENCH_BAD_OPTION', { reason: `--${name} ${value} must be a whole number from 1` });
  }
  return Number(value);
};
