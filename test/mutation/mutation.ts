// npm run mutation [-- --count N] [--seed N] [--in PART-OF-A-PATH] [--jobs N] [--silence SECONDS] [--known]
//
// How strong the tests are: makes small mistakes in the sources, one at a time, and counts those that a test notices.
// The same seed draws the same mutants of the same sources. What does not compile is no mutant. A mutant whose tests
// fall silent is noticed too. Survivors are printed, and do not change the exit status. --known orders the tests by
// the times of the run before, and does not check first that they pass without a mistake.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom, shuffled } from '../reference/random.ts';
import { type Copy, copyOf, fateOf, stop, test } from './copy.ts';
import { isEquivalent } from './equivalent.ts';
import { allMutants, type Mutant } from './mutants.ts';
import { nearestFirst } from './nearest.ts';

const ROOT = resolve('.');
const TIMES = join(ROOT, 'node_modules', '.cache', 'mutation-times.json');

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: '' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    silence: { type: 'string', default: '90' },
    known: { type: 'boolean' },
  },
});
const [count, seed, jobs, silence] = [values.count, values.seed, values.jobs, values.silence].map(Number) as [
  number,
  number,
  number,
  number,
];

/** How many times as long the tests may be silent without a mistake: nothing shows then that they hang. */
const CHECKED = 4;

/** How long each test file takes; throws if they fail as they are. */
async function timesOf(copy: Copy): Promise<ReadonlyMap<string, number>> {
  if (values.known) return new Map(JSON.parse(readFileSync(TIMES, 'utf8')));
  const { failure, seconds } = await test(copy, [], CHECKED * silence, jobs);
  if (failure !== undefined) throw new Error(`a test fails without any mutant: ${failure}`);
  mkdirSync(dirname(TIMES), { recursive: true });
  writeFileSync(TIMES, JSON.stringify([...seconds]));
  return seconds;
}

function describe({ file, line, before, after }: Mutant): string {
  return `${file}:${line}\n    ${before}\n    ${after}`;
}

const drawn = shuffled(createRandom(seed), allMutants(ROOT))
  .filter(({ file }) => file.includes(values.in))
  .filter((mutant) => !isEquivalent(mutant));
const survivors: Mutant[] = [];
let [taken, testing, killed] = [0, 0, 0];

/** Tests mutants, in the order in which they were drawn, until there were as many as wanted. */
async function work(copy: Copy, times: ReadonlyMap<string, number>): Promise<void> {
  while (killed + survivors.length + testing < count) {
    const mutant = drawn[taken++];
    if (mutant === undefined) return;
    testing++;
    const start = performance.now();
    const fate = await fateOf(copy, mutant, nearestFirst(mutant.file, times), silence);
    testing--;
    if (fate.state === 'killed') killed++;
    if (fate.state === 'survived') survivors.push(mutant);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const by = fate.state === 'killed' ? `\n    by ${fate.by}` : '';
    console.log(`${fate.state} in ${seconds} s: ${describe(mutant)}${by}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'bloomery-mutation-'));
const clear = () => rmSync(folder, { recursive: true, force: true });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    stop();
    clear();
    process.kill(process.pid, signal);
  });
}
try {
  const copies = Array.from({ length: jobs }, (_, i) => copyOf(ROOT, join(folder, `${i}`)));
  const [first] = copies;
  if (first === undefined) throw new Error('--jobs is at least 1');
  const times = await timesOf(first);
  await Promise.all(copies.map((copy) => work(copy, times)));
} finally {
  clear();
}
for (const mutant of survivors) console.log(`\nsurvived: ${describe(mutant)}`);
const all = killed + survivors.length;
console.log(`\n${killed} of ${all} mutants killed, ${((100 * killed) / all).toFixed(1)} %`);
