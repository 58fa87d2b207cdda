export { cutWords } from './cut-words.ts';
export { clearWords, hasRoom } from './word-cache.ts';
