// The part of the WebAssembly API that the binding uses. TypeScript declares the API only in the browser's library.

declare namespace WebAssembly {
  function compile(bytes: ArrayBuffer): Promise<Module>;
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: { readonly env: { readonly memory: Memory } });
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared: true });
    readonly buffer: SharedArrayBuffer;
    grow(pages: number): number;
  }
  class Global {
    constructor(descriptor: { value: 'i32' }, value: number);
    readonly value: number;
  }
}
