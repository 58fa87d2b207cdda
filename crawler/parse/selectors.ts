import { createRequire } from 'node:module';
import type * as CheerioSlim from 'cheerio/slim';
import { foldSpace } from './block-text.ts';
import { failParse } from './errors.ts';
import type { HtmlSink } from './html-events.ts';
import type { HtmlContent } from './html-page.ts';
import { HtmlPage } from './html-page.ts';
import type { Selectors } from './parsed-page.ts';

/** cheerio takes long to load, and most crawls have no selectors. */
const requireLater = createRequire(import.meta.url);
const loadDocument = (html: string, isXml: boolean) => {
  const { load } = requireLater('cheerio/slim') as typeof CheerioSlim;
  return load(html, { xml: { xmlMode: isXml } });
};
type Document = ReturnType<typeof loadDocument>;

/** What is needed of a node of cheerio's tree. */
interface TreeNode {
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly attribs?: Readonly<Record<string, string>>;
  readonly children?: readonly TreeNode[];
  readonly parent?: TreeNode | null;
  readonly next?: TreeNode | null;
}

interface Marks {
  /** Roots of what is read; undefined: everything is. */
  readonly wanted: ReadonlySet<TreeNode> | undefined;
  readonly unwanted: ReadonlySet<TreeNode>;
}

const select = (document: Document, selector: string): ReadonlySet<TreeNode> =>
  new Set<TreeNode>(document.root().find(selector).toArray() as readonly TreeNode[]);

/** One walk over the tree in document order, without recursion: what is wanted and not unwanted goes to the sink. */
class TreeWalk {
  readonly #marks: Marks;
  readonly #sink: HtmlSink;
  /** Wanted elements that we are in; at least 1 when all is wanted. */
  #wantedDepth: number;

  constructor(marks: Marks, sink: HtmlSink) {
    this.#marks = marks;
    this.#sink = sink;
    this.#wantedDepth = marks.wanted === undefined ? 1 : 0;
  }

  run(root: TreeNode): void {
    let node: TreeNode | undefined = root.children?.[0];
    while (node !== undefined) {
      const child = this.#enter(node) ? node.children?.[0] : undefined;
      node = child ?? this.#leaveTo(node, root);
    }
  }

  /** Whether the node's children are to be walked. */
  #enter(node: TreeNode): boolean {
    if (this.#marks.unwanted.has(node)) return false;
    if (this.#marks.wanted?.has(node)) this.#wantedDepth += 1;
    if (this.#wantedDepth > 0) {
      if (node.name !== undefined)
        this.#sink.open(node.name.toLowerCase(), new Map(Object.entries(node.attribs ?? {})));
      else if (node.type === 'text') this.#sink.text(node.data ?? '');
    }
    return true;
  }

  /** Leaves the node and all ancestors that end with it; the node to go on with. */
  #leaveTo(node: TreeNode, root: TreeNode): TreeNode | undefined {
    let left: TreeNode | null | undefined = node;
    while (left !== null && left !== undefined && left !== root) {
      this.#leave(left);
      if (left.next) return left.next;
      left = left.parent;
    }
    return undefined;
  }

  #leave(node: TreeNode): void {
    if (this.#marks.unwanted.has(node)) return;
    if (this.#wantedDepth > 0 && node.name !== undefined) this.#sink.close(node.name.toLowerCase());
    if (this.#marks.wanted?.has(node)) {
      this.#wantedDepth -= 1;
      // Two pieces of content are no neighbours.
      this.#sink.open('hr', new Map());
    }
  }
}

class TextSink implements HtmlSink {
  content = '';
  open(): void {}
  close(): void {}
  text(data: string): void {
    this.content += data;
  }
}

const titleOf = (document: Document, selector: string): string | undefined => {
  const first = document.root().find(selector).first().toArray()[0] as TreeNode | undefined;
  if (first === undefined) return undefined;
  const sink = new TextSink();
  new TreeWalk({ wanted: undefined, unwanted: new Set() }, sink).run(first);
  return foldSpace(sink.content);
};

/**
 * The content of a page as the user's selectors cut it: text fields of what `content` matches without what `strip` matches,
 * title of the first match of `title` (the page's own where nothing matches). Links and metas stay those of
 * the whole page: navigation is followed though it is not indexed. The tree is htmlparser2's: as written, without the
 * elements that a browser adds (`tbody`). Here, other than on the way without selectors, time grows with the square of the
 * nesting's depth; the time limit of the pool bounds it.
 */
export const applySelectors = (
  html: string,
  isXml: boolean,
  { selectors, whole, agent }: { selectors: Selectors; whole: HtmlContent; agent: string },
): HtmlContent => {
  const document = loadDocument(html, isXml);
  const title = selectors.title === undefined ? undefined : titleOf(document, selectors.title);
  const content: HtmlContent = title === undefined || title === '' ? whole : { ...whole, title };
  if (selectors.content === undefined && selectors.strip === undefined) return content;
  const page = new HtmlPage(agent);
  const marks: Marks = {
    wanted: selectors.content === undefined ? undefined : select(document, selectors.content),
    unwanted: selectors.strip === undefined ? new Set() : select(document, selectors.strip),
  };
  new TreeWalk(marks, page).run(document.root().toArray()[0] as unknown as TreeNode);
  const { body, headings, emphasis } = page.finish();
  return { ...content, body, headings, emphasis };
};

/** Throws CRAWL_BAD_SELECTOR for the first selector that is not CSS; to be called before a crawl begins. */
export const validateSelectors = (selectors: Selectors): void => {
  const root = loadDocument('', false).root();
  for (const option of ['content', 'strip', 'title'] as const) {
    const selector = selectors[option];
    if (selector === undefined) continue;
    try {
      if (selector.trim() === '') throw new Error('it is empty');
      root.find(selector);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw failParse('CRAWL_BAD_SELECTOR', { option, selector, reason }, cause);
    }
  }
};
