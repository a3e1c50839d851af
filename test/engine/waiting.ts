/** Waits as another thread would, but without stopping this one; the types do not know it yet. */
export const { waitAsync } = Atomics as unknown as {
  waitAsync(states: Int32Array, index: number, value: number, timeout: number): { value: Promise<string> };
};
