// The tests as a mutation run has them: one file after the other in a given order, up to the first failure. Without an
// order, all of them, with a record of what they reach.

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

/** A line for each test file and each failure: who reads them knows that the tests go on. */
const reporter: Reporter = {
  onTestCaseResult: (test) => console.log(`${test.result().state}\t${test.module.moduleId}\t${test.fullName}`),
  onTestModuleEnd: (module) => {
    const { duration } = module.diagnostic();
    const state = module.state();
    console.log(`file ${state}\t${module.moduleId}\t${duration}`);
  },
};

/** Who runs this ends what falls silent. */
const HANGS = 60 * 60_000;

export default defineConfig({
  plugins: [documents],
  test: {
    testTimeout: HANGS,
    hookTimeout: HANGS,
    unstubEnvs: true,
    maxWorkers: 1,
    bail: order === undefined ? 0 : 1,
    setupFiles: process.env.BLOOM_REACH_FOLDER === undefined ? [] : ['test/mutation/reached.ts'],
    sequence: { sequencer: Ordered },
    reporters: [reporter],
    projects: PROJECTS,
    // A copy is tested many times, with one file changed.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.modules' },
  },
});
