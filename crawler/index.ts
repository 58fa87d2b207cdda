export type { ParsedPage, ParseInput, Selectors } from './parse/parsed-page.ts';
