import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { keepFilesInMemory } from './memory-folder.ts';
import { documents, PROJECTS } from './projects.ts';

/** Ends hanging tests. No test asserts how long anything takes, on any machine. */
const HANGS = 20 * 60_000;

keepFilesInMemory();

/** One more than the number of cores: tests wait for their commands, which leaves a core idle for a third of the time. */
const WORKERS = availableParallelism() + 1;

export default defineConfig({
  plugins: [documents],
  test: { maxWorkers: WORKERS, testTimeout: HANGS, hookTimeout: HANGS, unstubEnvs: true, projects: PROJECTS },
});
