import type { SiteFilter } from '../../shards/index.ts';
import type { QueryWarning } from './warnings.ts';

/** A run of characters between white space, as typed; the analyser cuts it later, possibly into several terms. */
export interface WordNode {
  readonly kind: 'word';
  readonly text: string;
  readonly negated: boolean;
}

/** The beginning of a word, as typed without its `*`. */
export interface PrefixNode {
  readonly kind: 'prefix';
  readonly text: string;
  readonly negated: boolean;
}

/** Text between quotation marks, white space folded. */
export interface PhraseNode {
  readonly kind: 'phrase';
  readonly text: string;
  readonly negated: boolean;
}

/** A restriction to (or, negated, away from) a host and the start of a path. */
export interface SiteNode {
  readonly kind: 'site';
  readonly filter: SiteFilter;
  readonly negated: boolean;
}

export type QueryNode = WordNode | PrefixNode | PhraseNode | SiteNode;

/** A query as read: flat, since this grammar knows no groups. */
export interface QueryTree {
  readonly nodes: readonly QueryNode[];
  readonly warnings: readonly QueryWarning[];
}

const formatNode = (node: QueryNode): string => {
  const sign = node.negated ? '-' : '';
  switch (node.kind) {
    case 'word':
      return sign + node.text;
    case 'prefix':
      return `${sign}${node.text}*`;
    case 'phrase':
      return `${sign}"${node.text}"`;
    case 'site':
      return `${sign}site:${node.filter.host}${node.filter.pathPrefix}`;
  }
};

/** The query as it was understood, in its own language: what `interpreted` of an answer shows. */
export const formatTree = (tree: QueryTree): string => tree.nodes.map(formatNode).join(' ');
