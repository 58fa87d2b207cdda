import inversion from './generated/inversion.ts';
import search from './generated/search.ts';
import text from './generated/text.ts';

const SOURCES = { inversion, search, text } as const;
export type KernelName = keyof typeof SOURCES;

const compiled = new Map<KernelName, WebAssembly.Module>();

/**
 * The compiled module of that name; compiled at the first call in each thread. An instance needs `env.memory`: see the
 * flags in build.mjs for what kind each module imports.
 */
export const kernelModule = (name: KernelName): WebAssembly.Module => {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const made = new WebAssembly.Module(Buffer.from(SOURCES[name], 'base64'));
  compiled.set(name, made);
  return made;
};
