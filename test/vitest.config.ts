import { defineConfig } from 'vitest/config';
import { keepFilesInMemory } from './memory-folder.ts';
import { documents, PROJECTS } from './projects.ts';

/** Ends hanging tests. No test asserts how long anything takes, on any machine. */
const HANGS = 20 * 60_000;

keepFilesInMemory();

// By default, Vitest would leave one core idle.
export default defineConfig({
  plugins: [documents],
  test: { maxWorkers: '100%', testTimeout: HANGS, hookTimeout: HANGS, unstubEnvs: true, projects: PROJECTS },
});
