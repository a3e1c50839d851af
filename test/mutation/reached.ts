// Runs before each test file of a recorded run. From here on, every probe belongs to this test file.

import { join, relative } from 'node:path';

interface Globals {
  readonly __vitest_worker__: { readonly filepath: string };
  readonly reach?: { readonly marks: Map<string, Record<string, boolean>>; readonly epoch: { value: number } };
  reachFile?: string;
}

const globals = globalThis as unknown as Globals;
const test = relative('.', globals.__vitest_worker__.filepath);
globals.reachFile = join(process.env.BLOOM_REACH_FOLDER ?? '', encodeURIComponent(test));
process.env.BLOOM_REACH = globals.reachFile;
if (globals.reach !== undefined) globals.reach.epoch.value++;
for (const marks of globals.reach?.marks.values() ?? []) for (const mark of Object.keys(marks)) delete marks[mark];
