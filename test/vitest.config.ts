import { defineConfig } from 'vitest/config';
import { keepFilesInMemory } from './memory-folder.ts';
import { documents, PROJECTS } from './projects.ts';

/** Ends what hangs, and nothing else: no test asserts how long anything takes, on whatever machine. */
const HANGS = 20 * 60_000;

keepFilesInMemory();

// Vitest would leave a core idle: of two, half the machine.
export default defineConfig({
  plugins: [documents],
  test: { maxWorkers: '100%', testTimeout: HANGS, hookTimeout: HANGS, unstubEnvs: true, projects: PROJECTS },
});
