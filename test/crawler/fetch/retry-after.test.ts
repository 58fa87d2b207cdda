import assert from 'node:assert/strict';
import { it } from 'node:test';
import { retryAfterMs } from '../../../crawler/fetch/retry-after.ts';

it('reads Retry-After as RFC 9110, 10.2.3 has it', () => {
  const nowMs = Date.parse('Mon, 30 Nov 2026 12:00:00 GMT');
  const cases: readonly (readonly [string | undefined, number | undefined])[] = [
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['864000', 864_000_000],
    ['Mon, 30 Nov 2026 12:00:30 GMT', 30_000],
    ['Monday, 30-Nov-26 12:00:30 GMT', 30_000],
    ['Mon Nov 30 12:00:30 2026', 30_000],
    ['Sun, 29 Nov 2026 12:00:00 GMT', 0],
    ['-5', undefined],
    ['3.7', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['Mon, 99 Nov 2026', undefined],
    ['2026-11-30T12:00:30Z', undefined],
    ['', undefined],
    [undefined, undefined],
  ];
  for (const [value, expected] of cases) assert.equal(retryAfterMs(value, nowMs), expected, String(value));
});
