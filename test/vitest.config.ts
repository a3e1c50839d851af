import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { keepFilesInMemory } from './memory-folder.ts';
import { documents, PROJECTS } from './projects.ts';

/** Ends what hangs, and nothing else: no test asserts how long anything takes, on whatever machine. */
const HANGS = 20 * 60_000;

keepFilesInMemory();

/** One more than cores: tests wait for the commands that they start, and that leaves a core idle for a third of the time. */
const WORKERS = availableParallelism() + 1;

export default defineConfig({
  plugins: [documents],
  test: { maxWorkers: WORKERS, testTimeout: HANGS, hookTimeout: HANGS, unstubEnvs: true, projects: PROJECTS },
});
