// The part of the WebAssembly API that the binding uses: without the browser's library TypeScript knows none of it.

declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class Memory {
    constructor(descriptor: { initial: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Global {
    constructor(descriptor: { value: 'i32' }, value: number);
    readonly value: number;
  }
}
