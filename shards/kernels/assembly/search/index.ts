export { firstNotBelow } from './search-in-block.ts';
