/** The part of the WebAssembly JavaScript API (W3C, core 2.0 with threads) that kernels use; @types/node has none and lib.dom has a browser. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  /** What a trap throws. */
  class RuntimeError extends Error {}
  class Memory {
    constructor(limits: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: ArrayBuffer | SharedArrayBuffer;
    /** Pages of 64 KiB before the call. */
    grow(pages: number): number;
  }
}
