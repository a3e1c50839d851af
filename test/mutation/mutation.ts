// npm run mutation [-- --count N] [--seed N] [--from N] [--in PART-OF-A-PATH] [--tests PART-OF-A-PATH] [--budget SECONDS] [--jobs N]
//                     [--silence SECONDS]
// npm run mutation -- --unreached
//
// How strong the tests are: makes small mistakes in the sources, one at a time, and counts those that a test notices. The same seed
// draws the same mutants of the same sources; --from N leaves out the first N of them. A mutant that does not compile does not count. A
// mutant whose tests hang counts as noticed. Survivors are printed, and do not change the exit status.
//
// All tests, or those of --tests, run once without a mutant. This shows what each test file reaches and how long it takes. The result is kept in
// node_modules/.cache until a file changes. A mutant meets the test files that reach it, quick ones first, within a budget. The budget
// is a number of seconds for tests in their own process, and as many for tests that run the built program. With --unreached, the
// functions and branches that no test runs are listed instead, as nobody notices a mistake there.

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom, shuffled } from '../reference/random.ts';
import { accepted, type Copy, copyOf, fateOf, stop } from './copy.ts';
import { isEquivalent } from './equivalent.ts';
import { allMutants, type Mutant } from './mutants.ts';
import { nearestFirst } from './nearest.ts';
import { type Reaching, testsReaching, unreached } from './reach.ts';
import { type Recorded, recorded } from './recorded.ts';

const ROOT = resolve('.');

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    in: { type: 'string', default: '' },
    tests: { type: 'string', default: '' },
    budget: { type: 'string', default: '40' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    silence: { type: 'string', default: '90' },
    unreached: { type: 'boolean', default: false },
  },
});
const [count, seed, from, budget, jobs, silence] = [
  values.count,
  values.seed,
  values.from,
  values.budget,
  values.jobs,
  values.silence,
].map(Number) as [number, number, number, number, number, number];

function describe({ file, line, before, after }: Mutant): string {
  return `${file}:${line}\n    ${before}\n    ${after}`;
}

/** The mutants to test, in the order of the draw. */
async function drawn(copy: Copy): Promise<Mutant[]> {
  const left = shuffled(createRandom(seed), allMutants(ROOT))
    .filter(({ file }) => file.includes(values.in))
    .filter((mutant) => !isEquivalent(mutant));
  const mutants: Mutant[] = [];
  while (mutants.length < from + count && left.length > 0)
    mutants.push(...(await accepted(copy, left.splice(0, Math.ceil(1.5 * (from + count))))));
  return mutants.slice(from);
}

/** The first of these test files whose seconds are within the budget; at least one file. */
function affordable(files: readonly string[], seconds: ReadonlyMap<string, number>): string[] {
  let sum = 0;
  return files.filter((file, i) => {
    sum += seconds.get(file) ?? 0;
    return i === 0 || sum <= budget;
  });
}

function reaching(mutant: Mutant, { seconds, reach }: Recorded): Reaching {
  const { within, built } = testsReaching(ROOT, mutant, reach);
  const ordered = (files: readonly string[]) =>
    nearestFirst(mutant.file, new Map([...seconds].filter(([file]) => files.includes(file))));
  return { within: ordered(within), built: ordered(built) };
}

const survivors: string[] = [];
let [testing, killed] = [0, 0];

/** Tests mutants until as many as wanted were tested. */
async function work(copy: Copy, mutants: Iterator<Mutant>, known: Recorded): Promise<void> {
  while (killed + survivors.length + testing < count) {
    const { value: mutant, done } = mutants.next();
    if (done) return;
    testing++;
    const start = performance.now();
    const all = reaching(mutant, known);
    const plan = { within: affordable(all.within, known.seconds), built: affordable(all.built, known.seconds) };
    const fate = await fateOf(copy, mutant, plan, silence);
    testing--;
    if (fate.state === 'killed') killed++;
    const run = `${new Set([...plan.within, ...plan.built]).size} of the ${new Set([...all.within, ...all.built]).size}`;
    const by = fate.state === 'killed' ? `by ${fate.by}` : `${run} test files that reach it were run`;
    if (fate.state === 'survived') survivors.push(`${describe(mutant)}\n    ${by}`);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${fate.state} in ${seconds} s: ${describe(mutant)}\n    ${by}`);
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
  const how = { tests: values.tests, silence, workers: jobs };
  const known = await recorded({ root: ROOT, folder: join(folder, 'probed'), plain: first, ...how });
  if (values.unreached) {
    for (const place of unreached(ROOT, known.reach)) console.log(place);
  } else {
    const mutants = (await drawn(first)).values();
    await Promise.all(copies.map((copy) => work(copy, mutants, known)));
  }
} finally {
  clear();
}
if (!values.unreached) {
  for (const survivor of survivors) console.log(`\nsurvived: ${survivor}`);
  const all = killed + survivors.length;
  console.log(`\n${killed} of ${all} mutants killed, ${((100 * killed) / all).toFixed(1)} %`);
}
