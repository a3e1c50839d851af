// Any number of threads computes what one thread computes. The inputs are files and pipes, some of them empty, with bursts and long
// records. (printing.test.ts compares the output of threads.)

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { removeKeys } from '../../../src/engine/fill.ts';
import { rangesIn } from '../../../src/engine/input/file-range.ts';
import type { FileInput } from '../../../src/engine/input/input.ts';
import type { Segments } from '../../../src/engine/store/segments.ts';
import { plus, type Tally } from '../../../src/engine/tasks/tally.ts';
import { oneFilter, type TestSpec } from '../../../src/engine/tasks/task.ts';
import { runPass } from '../../../src/engine/threads/pass.ts';
import type { WorkerPool } from '../../../src/engine/threads/worker-pool.ts';
import { bloom } from '../../../src/filters/bloom.ts';
import { counting } from '../../../src/filters/counting.ts';
import type { FilterKind, Shape } from '../../../src/filters/kind.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { PLAIN_RULES, WHOLE } from '../../kernel/scanning.ts';
import { IS_LONG, inLongRuns } from '../../long.ts';
import { writeNewFile } from '../../new-file.ts';
import { bitsOfKey, hasAll, payloadOf } from '../../reference/bloom-bits.ts';
import { bitsOf, filterOf, strict } from '../alone.ts';
import { type BuildRequest, buildSized, buildWithShape } from '../building.ts';
import { eager, withPipes, withPoolOf } from './worker-pools.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-any-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Numbers of threads. By default each case has one of them. */
const THREADS = [2, 3, 4, 8, 16];
/** Only this many threads or more read pipes, as the writers and readers of pipes need cores too. */
const PIPE_THREADS = 3;
const SHAPE: Shape = { segments: 5, segmentBits: 2 ** 17, bits: 5 * 2 ** 17, k: 4 };

interface Case {
  readonly inputs: readonly { readonly isPipe: boolean; readonly records: readonly string[]; readonly end: string }[];
  readonly chunk: number;
}

/** At most this many records, all different from those of other inputs. */
const records = (most: number, length: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: most }), fc.integer({ min: 0, max: length }), fc.uuid())
    .map(([count, padding, name]) => Array.from({ length: count }, (_, i) => `${name}${i}`.padEnd(padding, 'x')));

const cases: fc.Arbitrary<Case> = fc.record({
  inputs: fc.array(
    fc.record({
      isPipe: fc.boolean(),
      records: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: records(3, 0) },
        // A burst: as many bytes as a pipe holds.
        { weight: 3, arbitrary: records(1500, 45) },
        { weight: 1, arbitrary: records(4, 30_000) },
        { weight: 1, arbitrary: records(1, 300_000) },
        { weight: 1, arbitrary: fc.constant([...'abcdefghij', '']) },
      ),
      end: fc.constantFrom('\n', ''),
    }),
    { minLength: 3, maxLength: 9 },
  ),
  chunk: fc.constantFrom(500, 5000, 40_000),
});

/** The results of the work on some inputs; every field can be compared. */
interface Results {
  readonly added: unknown;
  readonly sized: unknown;
  readonly removed: unknown;
  readonly counted: unknown;
}

/** A file in slices, which together have the same records. */
function inSlices(name: string): readonly FileInput[] {
  return [1, 2, 3].flatMap((number) => rangesIn([name], { number, of: 3 }, WHOLE));
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The digest of all bits, as comparing bits takes long. */
const digestedBits = (segments: Segments) => sha256(bitsOf(segments, SHAPE));

/** Runs everything that reads records on the inputs of a case. */
async function workOn(files: readonly string[], { inputs, chunk }: Case, threads: number): Promise<Results> {
  const areRead = threads >= PIPE_THREADS || inputs.some(({ isPipe }) => !isPipe);
  if (!areRead) throw new Error('a case has no file, which two threads read');
  const context = { kernel: loadKernel(), threadIndex: 0 };
  /** The names of the inputs. A process writes into those that are pipes. */
  const reading = <T>(work: (names: string[]) => Promise<T>): Promise<T> => {
    const isPiped = (_: unknown, i: number) => inputs[i]?.isPipe === true;
    return withPipes(files.filter(isPiped), (pipes) => {
      const left = [...pipes];
      return work(files.map((file, i) => (isPiped(file, i) ? (left.shift() ?? '') : file)));
    });
  };
  return withPoolOf(threads, eager(chunk), async (pool) => {
    const request = (kind: FilterKind, names: string[]): BuildRequest => {
      const given = names.flatMap((name, i) => (files.includes(name) && i % 2 === 0 ? inSlices(name) : [name]));
      return { context, pool, kind, inputs: given, selection: WHOLE, rules: PLAIN_RULES, observer: strict };
    };
    const begun = filterOf(SHAPE, PAYLOAD, pool.threadCount);
    const added = await reading((names) => buildWithShape(request(bloom, names), SHAPE, begun));
    const shapes: number[] = [];
    const shapeFor = (items: number) => {
      shapes.push(items);
      return SHAPE;
    };
    const sized = await reading((names) => buildSized(request(bloom, names), shapeFor));
    const full = await buildWithShape(request(counting, [...files, extra]), SHAPE);
    const removed = await reading((names) => {
      const removal = request(counting, names);
      return removeKeys(removal, full.filter, removal, removal);
    });
    const counted = await reading((names) => count(pool, context, names));
    return {
      added: [digestedBits(added.segments), added.inserted, added.skipped, added.distinct],
      sized: [digestedBits(sized.segments), sized.inserted, sized.skipped, sized.distinct, shapes],
      removed: [digestedBits(removed.contents.segments), removed.removed, removed.absent],
      counted,
    };
  });
}

const MEMBERS = Array.from({ length: inLongRuns(20_000, 5000) }, (_, i) => `${i}`);
const PAYLOAD = payloadOf(
  MEMBERS.map((key) => new Uint8Array(Buffer.from(key))),
  { ...PLAIN_RULES, ...SHAPE },
);
const extra = join(folder, 'extra');
writeFileSync(extra, MEMBERS.join('\n'));

/** Counts the answers of a filter for each input, and for all. */
async function count(pool: WorkerPool, context: BuildRequest['context'], inputs: readonly string[]) {
  const filter = filterOf(SHAPE, PAYLOAD, pool.threadCount);
  const spec: TestSpec = {
    type: 'test',
    selection: WHOLE,
    ...oneFilter(filter, PLAIN_RULES),
    print: undefined,
    lineBuffered: false,
    bySource: true,
    stopAt: undefined,
  };
  const tallies: Tally[] = inputs.map(() => ({ records: 0, keys: 0, positives: 0, elsewhere: 0 }));
  const onTally = (index: number, tally: Tally) => {
    tallies[index] = plus(tallies[index] ?? tally, tally);
    return false;
  };
  const shares = await runPass({ context, pool, spec, inputs, observer: strict, onTally });
  const {
    records: all,
    keys,
    positives,
  } = shares.reduce<Tally>(plus, { records: 0, keys: 0, positives: 0, elsewhere: 0 });
  return { tallies, all: { records: all, keys, positives } };
}

/** Compares the results of several threads with those of one thread, and these with the oracle. */
async function compare(given: Case, turn: number): Promise<void> {
  // Two threads do not read pipes. A file ensures that they read at all.
  const inputs = [...given.inputs, { isPipe: false, records: ['a file'], end: '\n' }];
  const all = { ...given, inputs };
  const files = inputs.map((_, i) => join(folder, `input${i}`));
  for (const [i, input] of inputs.entries()) {
    const isEnded = input.records.length > 0 && (input.end !== '' || input.records.at(-1) === '');
    writeNewFile(files[i] ?? '', input.records.join('\n') + (isEnded ? '\n' : ''));
  }
  const alone = await workOn(files, all, 1);
  const keys = inputs.flatMap((input) => input.records).map((record) => new Uint8Array(Buffer.from(record)));
  const expected = payloadOf(keys, { ...PLAIN_RULES, ...SHAPE });
  for (const [i, byte] of PAYLOAD.entries()) expected[i] = (expected[i] ?? 0) | byte;
  expect(alone.added).toMatchObject([sha256(expected), keys.length, expect.anything(), expect.anything()]);
  const positives = keys.filter((key) => hasAll(PAYLOAD, bitsOfKey(key, { ...PLAIN_RULES, ...SHAPE }))).length;
  expect(alone.counted).toMatchObject({ all: { records: keys.length, keys: keys.length, positives } });
  expect(alone.removed).toMatchObject([expect.anything(), keys.length, 0]);
  for (const threads of inLongRuns([2, 3, 8], [THREADS[turn % THREADS.length] ?? 2])) {
    const together = await workOn(files, all, threads);
    for (const work of ['added', 'sized', 'removed', 'counted'] as const)
      expect(together[work], `${work} with ${threads} threads`).toEqual(alone[work]);
  }
}

describe('any number of threads gives the results of one', () => {
  test.each(fc.sample(cases, { numRuns: inLongRuns(6, 1), seed: 11 }).map((given, i) => [i, given] as const))(
    'to inputs of any kind, %d',
    (turn, given) => compare(given, turn),
  );

  test.runIf(IS_LONG)('to many bursts from pipes with empty ones between them', () => {
    const burst = (name: string) => Array.from({ length: 4000 }, (_, i) => `${name}${i}`);
    const names = Array.from({ length: 4 }, (_, i) => `burst ${i} `);
    const inputs = ['long ', ...names].flatMap((name) => [
      { isPipe: true, records: burst(name), end: '\n' },
      { isPipe: true, records: [], end: '' },
    ]);
    return compare({ inputs, chunk: 200_000 }, 1);
  });

  test.runIf(IS_LONG)('to a record that is larger than all buffers, between short ones', () => {
    const long = 'z'.repeat(8_000_000);
    const inputs = [true, false].map((isPipe) => {
      return { isPipe, records: [`before ${isPipe}`, `${long}${isPipe}`, `after ${isPipe}`], end: '' };
    });
    return compare({ inputs, chunk: 100_000 }, 2);
  });
});
