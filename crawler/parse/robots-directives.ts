import type { RobotsFlags } from '../../indexer/index.ts';

/** Directives whose own syntax has a colon; any other `name:` names a robot. */
const WITH_VALUE = /^(unavailable_after|max-snippet|max-image-preview|max-video-preview)\s*:\s*(.*)$/i;
const ROBOT = /^(\*|[A-Za-z0-9_-]+)\s*:\s*(.*)$/;

interface Restrictions {
  noindex: boolean;
  nofollow: boolean;
  noarchive: boolean;
}

export interface DirectiveReader {
  /** Product token in lower case. */
  readonly agent: string;
  /** For `unavailable_after`; undefined: dates are ignored. */
  readonly nowMs: number | undefined;
}

const apply = (directive: string, flags: Restrictions): void => {
  const name = directive.toLowerCase();
  if (name === 'noindex' || name === 'none') flags.noindex = true;
  if (name === 'nofollow' || name === 'none') flags.nofollow = true;
  if (name === 'noarchive' || name === 'nocache') flags.noarchive = true;
};

/** A date may hold a comma, at which the list was split: takes pieces until the date can be read. */
const readDate = (first: string, pieces: string[]): number => {
  const alone = Date.parse(first);
  const next = pieces[0];
  if (!Number.isNaN(alone) || next === undefined) return alone;
  const both = Date.parse(`${first}, ${next}`);
  if (!Number.isNaN(both)) pieces.shift();
  return both;
};

/**
 * Reads one list of directives. In a header (`scoped`) a piece such as `otherbot: noindex` makes all that follows it
 * count for that robot alone; those for us and for all robots are united, whichever comes first.
 */
const readList = (
  list: string,
  isScoped: boolean,
  { agent, nowMs }: DirectiveReader,
  flags: Restrictions,
): void => {
  const pieces = list.split(',').map((piece) => piece.trim());
  let isForUs = true;
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    let directive = piece;
    const scope = isScoped && !WITH_VALUE.test(piece) ? ROBOT.exec(piece) : null;
    if (scope !== null) {
      isForUs = scope[1]?.toLowerCase() === agent || scope[1] === '*';
      directive = scope[2] ?? '';
    }
    const valued = WITH_VALUE.exec(directive);
    if (valued === null) {
      if (isForUs) apply(directive, flags);
    } else if (valued[1]?.toLowerCase() === 'unavailable_after') {
      const atMs = readDate(valued[2] ?? '', pieces);
      if (isForUs && nowMs !== undefined && atMs < nowMs) flags.noindex = true;
    }
  }
};

/**
 * What robots meta elements and the X-Robots-Tag header forbid, united (Google's "robots meta tag" page is the nearest
 * to a standard). `metas`: contents of the elements named `robots` or as our agent. Header values of several headers are
 * best joined by `\n`, so that the scope of one does not reach into the next.
 */
export const readDirectives = (
  metas: readonly string[],
  header: string,
  reader: DirectiveReader,
): RobotsFlags => {
  const flags: Restrictions = { noindex: false, nofollow: false, noarchive: false };
  for (const content of metas) readList(content, false, reader, flags);
  for (const value of header.split('\n')) readList(value, true, reader, flags);
  return flags;
};
