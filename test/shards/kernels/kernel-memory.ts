import { kernelModule } from '../../../shards/kernels/kernels.ts';

const PAGE_BYTES = 65_536;

/** The search kernels over a memory of their own, and typed views of it: for tests that call single functions. */
export interface KernelMemory<Exports> {
  readonly exports: Exports;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

/** Zeroed memory of that many pages of 64 KiB. */
export const kernelMemory = <Exports>(pages: number): KernelMemory<Exports> => {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const { exports } = new WebAssembly.Instance(kernelModule('search'), {
    env: { memory, isLate: () => 0 },
  });
  return {
    exports: exports as Exports,
    bytes: new Uint8Array(memory.buffer, 0, pages * PAGE_BYTES),
    words: new Uint32Array(memory.buffer),
  };
};
