import { createInterface } from 'node:readline';
import { defineErrors } from '../shards/index.ts';

export const lineErrors = {
  CLI_BAD_LINE: { exit: 2, message: 'standard input, line {line}: {reason}' },
} as const;
const fail = defineErrors(lineErrors);

/** The error of a line that is JSON and still of no use. */
export const failLine = (line: number, reason: string) => fail('CLI_BAD_LINE', { line, reason });

/** JSON objects from standard input, one a line; blank lines are passed over. */
export async function* jsonLines(
  input: NodeJS.ReadableStream,
): AsyncGenerator<{ readonly line: number; readonly value: Readonly<Record<string, unknown>> }> {
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() === '') continue;
    yield { line, value: parseLine(text, line) };
  }
}

const parseLine = (text: string, line: number): Readonly<Record<string, unknown>> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fail('CLI_BAD_LINE', { line, reason: `is not JSON (${(error as Error).message})` }, error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fail('CLI_BAD_LINE', { line, reason: 'must be one JSON object' });
  }
  return value as Readonly<Record<string, unknown>>;
};
