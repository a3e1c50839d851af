import { defineConfig } from 'vitest/config';

// Vitest would leave a core idle: of two, half the machine.
export default defineConfig({
  test: { include: ['test/**/*.test.ts'], testTimeout: 60_000, maxWorkers: '100%' },
});
