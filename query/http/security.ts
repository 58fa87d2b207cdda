import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

/**
 * Headers of every answer. Pages carry no inline script or style, load nothing from elsewhere and cannot be framed; a
 * followed result does not learn the query (Referrer-Policy).
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether only this machine reaches a server that listens on `host`. */
export const isLoopback = (host: string): boolean => {
  const version = isIP(host);
  if (version === 0) return host === 'localhost' || host.endsWith('.localhost');
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const presented = (authorization: string): string => {
  const [scheme = '', value = ''] = authorization.split(' ', 2);
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic') return '';
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
};

/** Whether a request shows the token: as a bearer (RFC 6750), or as the password that a browser asks for (RFC 7617). */
export const showsToken = (authorization: string | undefined, token: string): boolean =>
  authorization !== undefined && timingSafeEqual(digest(presented(authorization)), digest(token));
