import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { keepFilesInMemory } from './memory-folder.ts';
import { documents, PROJECTS } from './projects.ts';

/** Ends hanging tests. No test asserts how long anything takes, on any machine. */
const HANGS = 20 * 60_000;

/** One per core: a further one would compile the same functions again, and few tests wait. */
const WORKERS = availableParallelism();

/** Megabytes of young objects. A twentieth of all work would be to collect them with the default. */
const YOUNG = '--max-semi-space-size=64';

/**
 * Bytes of bytecode that a function runs before V8 optimises it. With the default, a tenth of all work would be to optimise functions that
 * have done most of their work by then. Later versions of Node have no such option.
 */
const PATIENT = process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : [];

keepFilesInMemory();

// Node 20 would read these certificates at each start of a process, which takes longer than the rest of the start.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  plugins: [documents],
  test: {
    ...{ maxWorkers: WORKERS, execArgv: [YOUNG, ...PATIENT], testTimeout: HANGS, hookTimeout: HANGS },
    ...{ unstubEnvs: true, projects: PROJECTS },
  },
});
