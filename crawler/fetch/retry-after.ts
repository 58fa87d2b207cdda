/** `Retry-After: seconds`: digits only (RFC 9110, 10.2.3); `3.7`, `-5` and `soon` are malformed. */
const SECONDS = /^\d{1,10}$/;
/** The three forms of an HTTP-date (RFC 9110, 5.6.7) begin with the name of a day. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/**
 * How long a server asks to be left alone, in milliseconds from `nowMs` (wall clock); 0 for a date in the past; undefined
 * when there is no such header or it is malformed, so that our own back-off applies.
 */
export const retryAfterMs = (value: string | undefined, nowMs: number): number | undefined => {
  const text = value?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * 1000;
  if (!HTTP_DATE.test(text)) return undefined;
  // asctime, the third form, names no zone and means GMT.
  const dateMs = Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
};
