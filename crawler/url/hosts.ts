import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { getDomain } from 'tldts';
import type { HostKey, NormalUrl } from '../../shards/index.ts';
import { trustHostKey } from '../../shards/index.ts';

/** Scheme, host and port, without a slash at the end: what one robots.txt speaks for. */
export const originOf = (url: NormalUrl): string => url.slice(0, url.indexOf('/', url.indexOf('//') + 2));

/** Path and query, from the first slash on. */
export const pathOf = (url: NormalUrl): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));

/** An IPv6 address keeps its brackets, as in the URL. */
export const hostOf = (url: NormalUrl): HostKey => {
  const origin = originOf(url);
  const host = origin.slice(origin.indexOf('//') + 2);
  const colon = host.lastIndexOf(':');
  return trustHostKey(colon > host.lastIndexOf(']') ? host.slice(0, colon) : host);
};

/**
 * The part of a host name that somebody registered, private suffixes counted (`a.github.io` is one of many under
 * `github.io`); undefined for an address, a public suffix or a name without one.
 */
export const registrableDomain = (host: string): string | undefined =>
  host.startsWith('.') ? undefined : (getDomain(host, { allowPrivateDomains: true }) ?? undefined);

/** What groups hosts of one owner: the registrable domain, else the host itself. */
export const siteOf = (host: string): string => registrableDomain(host) ?? host;

/** Address ranges that are not the public internet (RFC 6890 and the IANA special-purpose registries). */
const PRIVATE_RANGES = [
  ['0.0.0.0', 8], // "this" network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
  ['::', 128], // unspecified
  ['::1', 128], // loopback
  ['64:ff9b:1::', 48], // local translation
  ['100::', 64], // discard
  ['2001::', 23], // protocol assignments, Teredo
  ['2001:db8::', 32], // documentation
  ['fc00::', 7], // unique local
  ['fe80::', 10], // link-local
  ['fec0::', 10], // site-local, retired
  ['ff00::', 8], // multicast
] as const;

const blockList = new BlockList();
for (const [network, prefixBits] of PRIVATE_RANGES) {
  blockList.addSubnet(network, prefixBits, isIPv4(network) ? 'ipv4' : 'ipv6');
}

/** IPv6 ranges that carry an IPv4 address: which of the eight groups hold it. */
const EMBEDDED_IPV4 = [
  { prefix: /^0:0:0:0:0:(?:0|ffff):/, firstGroup: 6 }, // IPv4-compatible and IPv4-mapped
  { prefix: /^64:ff9b:0:0:0:0:/, firstGroup: 6 }, // NAT64 (RFC 6052)
  { prefix: /^2002:/, firstGroup: 1 }, // 6to4
] as const;

/** The eight groups in lower-case hex without leading zeros. */
const groupsOf = (ipv6: string): readonly string[] => {
  const canonical = new URL(`http://[${ipv6}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  if (tail === undefined) return left;
  const right = tail === '' ? [] : tail.split(':');
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
};

const embeddedIpv4 = (ipv6: string): string | undefined => {
  const groups = groupsOf(ipv6);
  const whole = groups.join(':');
  const range = EMBEDDED_IPV4.find(({ prefix }) => prefix.test(whole));
  if (range === undefined) return undefined;
  const [high, low] = groups
    .slice(range.firstGroup, range.firstGroup + 2)
    .map((group) => Number.parseInt(group, 16));
  if (high === undefined || low === undefined) return undefined;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

/**
 * Whether an address is one that a crawler has no business at: loopback, private, link-local, shared, reserved,
 * multicast, and IPv6 addresses that embed such an IPv4 address. What is not an address counts as private.
 */
export const isPrivateAddress = (ip: string): boolean => {
  if (isIPv4(ip)) return blockList.check(ip, 'ipv4');
  const bare = ip.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!isIPv6(bare)) return true;
  if (blockList.check(bare, 'ipv6')) return true;
  const ipv4 = embeddedIpv4(bare);
  return ipv4 !== undefined && blockList.check(ipv4, 'ipv4');
};
