/** Waits as another thread would, without stopping this one. TypeScript's types do not have this function yet. */
export const { waitAsync } = Atomics as unknown as {
  waitAsync(states: Int32Array, index: number, value: number, timeout: number): { value: Promise<string> };
};
