/** The fields of a document, in the order in which formats store them. `body` holds all visible text once more. */
export const FIELD_NAMES = ['title', 'headings', 'emphasis', 'body', 'anchor', 'url'] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** A piece of a document's text, in one of its fields. */
export interface FieldText {
  readonly field: FieldName;
  /** Blocks (paragraphs, list items, headings) are separated by `\n`; a phrase does not cross one. */
  readonly text: string;
}
