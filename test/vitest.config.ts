import { defineConfig } from 'vitest/config';

/** Ends what hangs, and nothing else: no test asserts how long anything takes, on whatever machine. */
const HANGS = 20 * 60_000;

// Vitest would leave a core idle: of two, half the machine.
export default defineConfig({
  test: { include: ['test/**/*.test.ts'], testTimeout: HANGS, hookTimeout: HANGS, maxWorkers: '100%' },
});
