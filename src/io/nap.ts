const nobody = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread for some milliseconds. */
export function nap(milliseconds: number): void {
  Atomics.wait(nobody, 0, 0, milliseconds);
}
