/** One element of a Link header: `<target>` and its parameters; commas inside brackets and quotes do not divide. */
const LINK = /<([^<>]*)>((?:\s*;\s*[!#$&+\-.^_`|~0-9A-Za-z*]+(?:\s*=\s*(?:"[^"]*"|[^";,\s]*))?)*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^";,\s]*))/i;

/** Target of the first element with `rel=canonical` (RFC 8288, RFC 6596), not resolved; undefined when there is none. */
export const canonicalOfHeader = (header: string): string | undefined => {
  for (const [, target, parameters = ''] of header.matchAll(LINK)) {
    const [, quoted, bare] = REL.exec(parameters) ?? [];
    const rel = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
    if (rel.includes('canonical')) return target;
  }
  return undefined;
};
