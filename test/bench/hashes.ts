// The hashes beside each other: the cost of finding line ends and hashing, and the rates of false positives. The keys have structures
// that a weak hash would let through.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WHOLE_LINES } from '../../src/engine/input/key-selection.ts';
import { createFilter } from '../../src/engine/store/shared-segments.ts';
import { oneFilter, type TaskSpec } from '../../src/engine/tasks/task.ts';
import { runPass } from '../../src/engine/threads/pass.ts';
import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { bloom } from '../../src/filters/bloom.ts';
import { HASH_NAMES, type OwnHashName } from '../../src/hashes/registry.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { bitsFor } from '../../src/sizing/bloom.ts';
import { segmented } from '../../src/sizing/geometry.ts';
import { createRandom } from '../reference/random.ts';
import { writeLines } from './lines.ts';
import { median } from './runs.ts';
import { RULES, readOnly, scanOnly, timed } from './stages.ts';

/** Members of a filter, and as many non-members. */
const KEYS = 2 ** 20;
const TARGET = 0.01;

/** One filter per seed, as chance in a single filter says little. */
const SEEDS = [0n, 1n, 2n, 3n];
const PROBES = SEEDS.length * KEYS;

/** The normal quantile of a two-sided 99 % interval. */
const Z99 = 2.576;

/** Keys by number: members have the first numbers, non-members the next. */
const STRUCTURES: Readonly<Record<string, (number: number) => string>> = {
  'sequential numbers': (number) => `${number}`,
  'URLs with a counter': (number) => `https://www.example.org/articles/${number}/comments?page=1`,
  'UUIDs, version 4': uuid,
};

function uuid(number: number): string {
  const random = createRandom(number);
  const hex = Array.from({ length: 4 }, () => random().toString(16).padStart(8, '0')).join('');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)];
  return parts.join('-');
}

/** Writes the keys from a number on. */
function writeKeys(file: string, from: number, keyOf: (number: number) => string): void {
  writeFileSync(file, Array.from({ length: KEYS }, (_, i) => `${keyOf(from + i)}\n`).join(''));
}

/** Nanoseconds per key, by hash. */
async function costs(file: string, lines: number, rounds: number): Promise<ReadonlyMap<OwnHashName, number>> {
  const reading: number[] = [];
  const scanning = new Map(HASH_NAMES.map((hash): [OwnHashName, number[]] => [hash, []]));
  for (let round = 0; round < rounds; round++) {
    reading.push(await timed(() => readOnly(loadKernel(), file)));
    for (const [hash, times] of scanning)
      times.push(await timed(() => scanOnly(loadKernel(), file, () => {}, { ...RULES, hash })));
  }
  const cost = (times: readonly number[]) => ((median(times) - median(reading)) * 1e6) / lines;
  return new Map([...scanning].map(([hash, times]) => [hash, cost(times)]));
}

const SHAPE = { ...segmented(bitsFor(KEYS, TARGET)), k: 7 };

/** The number of non-members that a filter of the members accepts. It must accept all members. */
async function falsePositives(hash: OwnHashName, seed: bigint, members: string, nonMembers: string): Promise<number> {
  const filter = createFilter(bloom, SHAPE, 1);
  const keys = { selection: WHOLE_LINES, rules: { ...RULES, hash, seed }, filter };
  const observer = {
    onUnreadable(error: Error) {
      throw error;
    },
  };
  const pass = (input: string, spec: TaskSpec) =>
    runPass({
      context: { kernel: loadKernel(), threadIndex: 0 },
      pool: createWorkerPool(1),
      spec,
      inputs: [input],
      observer,
    });
  const positives = async (input: string) => {
    const asked = { print: undefined, lineBuffered: false, bySource: false, stopAt: undefined };
    const shares = await pass(input, {
      ...{ type: 'test', selection: WHOLE_LINES, ...oneFilter(filter, keys.rules) },
      ...asked,
    });
    return shares.reduce((sum, share) => sum + share.positives, 0);
  };
  await pass(members, { type: 'add', ...keys, replay: false });
  if ((await positives(members)) !== KEYS) throw new Error(`${hash}: a member is missing`);
  return positives(nonMembers);
}

const percent = (rate: number) => `${(100 * rate).toFixed(3)} %`;

/** Prints the cost of each hash for the same lines as the other benchmarks, and the rates. */
export async function printHashes(folder: string, lines: number, rounds: number): Promise<void> {
  const [members, nonMembers] = [join(folder, 'members'), join(folder, 'non-members')];
  writeLines(members, lines, () => 'key');
  const cost = await costs(members, lines, rounds);
  console.log('\nfind line ends and hash, one thread');
  for (const [hash, nanoseconds] of cost) {
    const ratio = nanoseconds / (cost.get('xxh64') ?? Number.NaN);
    console.log(`  ${hash.padEnd(20)}${nanoseconds.toFixed(1).padStart(8)} ns/key${ratio.toFixed(2).padStart(8)}`);
  }

  const theory = bloom.predictedRate(KEYS, SHAPE);
  // The different fills of the filters widen this by less than a hundredth.
  const half = Z99 * Math.sqrt((theory * (1 - theory)) / PROBES);
  console.log(
    `\nfalse-positive rate, ${KEYS.toLocaleString('en')} members and as many non-members, ${SEEDS.length} seeds`,
  );
  console.log(
    `  theory ${percent(theory)}; 99 of 100 such rates are from ${percent(theory - half)} to ${percent(theory + half)}`,
  );
  console.log(`  ${''.padEnd(22)}${HASH_NAMES.map((hash) => hash.padStart(11)).join('')}`);
  for (const [name, keyOf] of Object.entries(STRUCTURES)) {
    writeKeys(members, 0, keyOf);
    writeKeys(nonMembers, KEYS, keyOf);
    const cells: string[] = [];
    for (const hash of HASH_NAMES) {
      let positives = 0;
      for (const seed of SEEDS) positives += await falsePositives(hash, seed, members, nonMembers);
      const rate = positives / PROBES;
      cells.push(`${percent(rate)}${Math.abs(rate - theory) > half ? ' !' : ''}`.padStart(11));
    }
    console.log(`  ${name.padEnd(22)}${cells.join('')}`);
  }
}
