import { getAsset } from 'node:sea';

/** The code of the kernel, from the executable. */
export function kernelBytes(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(getAsset('kernel.wasm'));
}
