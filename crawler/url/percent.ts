/** Unreserved and reserved characters that stand in a path or query as they are (RFC 3986, 3.3 and 3.4). */
const NEEDS_WORK = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]/;
const ESCAPE_OR_FORBIDDEN = /%([0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]/g;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

const escapeByte = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/**
 * One spelling for a path, query or robots.txt pattern (RFC 3986, 6.2.2.1 and 6.2.2.2; RFC 9309, 2.2.2): escapes of
 * unreserved characters are decoded, other escapes get upper-case digits and stay (`%2F` is not `/`), characters that
 * must not occur are escaped, a `%` that begins no escape becomes `%25`. Idempotent.
 *
 * `bytes` has one character below U+0100 for each byte.
 */
export const normalisePercent = (bytes: string): string =>
  NEEDS_WORK.test(bytes)
    ? bytes.replace(ESCAPE_OR_FORBIDDEN, (match, digits: string | undefined) => {
        if (digits === undefined) return escapeByte(match.charCodeAt(0));
        const character = String.fromCharCode(Number.parseInt(digits, 16));
        return UNRESERVED.test(character) ? character : match.toUpperCase();
      })
    : bytes;
