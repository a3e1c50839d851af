// The configuration of a mutation run: one file after the other in a given order, up to the first failure. Without an order, all files
// run, and the functions that they reach are recorded.

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import { keepFilesInMemory } from '../memory-folder.ts';
import { documents, PROJECTS } from '../projects.ts';

keepFilesInMemory();

const order = process.env.BLOOM_TEST_ORDER?.split('\n');

class Ordered extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => order?.findIndex((test) => moduleId.endsWith(`/${test}`)) ?? 0;
    return [...files].sort((a, b) => place(a) - place(b));
  }
}

/** One line per test and test file, which shows that the tests continue. */
const reporter: Reporter = {
  onTestCaseResult: (test) => console.log(`${test.result().state}\t${test.module.moduleId}\t${test.fullName}`),
  onTestModuleEnd: (module) => {
    const { duration } = module.diagnostic();
    const state = module.state();
    console.log(`file ${state}\t${module.moduleId}\t${duration}`);
  },
};

/**
 * In the recorded run each test file has a process of its own. In a shared one, commands got the variables of the first test file, and
 * what they reached was recorded for it.
 */
const isRecorded = process.env.BLOOM_REACH_FOLDER !== undefined;
const projects = PROJECTS.map((project) => ({
  ...project,
  test: { ...project.test, ...(isRecorded && { isolate: true }) },
}));

/** The parent process ends tests that are silent. */
const HANGS = 60 * 60_000;

export default defineConfig({
  plugins: [documents],
  test: {
    testTimeout: HANGS,
    hookTimeout: HANGS,
    unstubEnvs: true,
    maxWorkers: 1,
    bail: order === undefined ? 0 : 1,
    setupFiles: isRecorded ? ['test/mutation/reached.ts'] : [],
    sequence: { sequencer: Ordered },
    reporters: [reporter],
    projects,
    // A copy is tested many times, with one changed file.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.modules' },
  },
});
