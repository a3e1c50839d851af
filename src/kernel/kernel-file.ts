import { readFileSync } from 'node:fs';

const KERNEL_FILE = new URL('../../dist/kernel.wasm', import.meta.url);

/** The code of the kernel, from the file beside the program. */
export function kernelBytes(): Uint8Array<ArrayBuffer> {
  return readFileSync(KERNEL_FILE);
}
