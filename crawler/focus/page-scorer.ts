import { pathToFileURL } from 'node:url';
import { fail } from '../errors.ts';
import type { ParsedPage } from '../parse/parsed-page.ts';

/** Says how relevant a page is, 0 to 1. Its score is stored with the page and handed to each out-link. */
export interface PageScorer {
  score(page: ParsedPage, url: string): number | Promise<number>;
}

/** What a scorer module exports. */
interface ScorerModule {
  createScorer?: (modelFile: string) => PageScorer | Promise<PageScorer>;
}

const isPath = (name: string): boolean => name.startsWith('.') || name.startsWith('/');

/**
 * Loads a scorer by module name (a package, or a path relative to the working directory) with its model file.
 * Error: CRAWL_SCORER_INVALID.
 */
export const loadScorer = async (module: string, modelFile: string): Promise<PageScorer> => {
  try {
    const loaded = (await import(isPath(module) ? pathToFileURL(module).href : module)) as ScorerModule;
    if (typeof loaded.createScorer !== 'function') throw new Error('createScorer is missing');
    return await loaded.createScorer(modelFile);
  } catch (cause) {
    throw fail('CRAWL_SCORER_INVALID', { module, reason: (cause as Error).message }, cause);
  }
};
