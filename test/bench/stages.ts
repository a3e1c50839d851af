// The time of one thread, stage by stage. Each run does one thing more than the run before it. The difference of their medians is the
// cost of that thing.

import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { WHOLE_LINES } from '../../src/engine/input/key-selection.ts';
import { createScanner } from '../../src/engine/input/scanner.ts';
import { NO_LIMIT } from '../../src/engine/input/scanning.ts';
import { createSegmentVisits } from '../../src/engine/store/segment-visits.ts';
import { createFilter, openSegments } from '../../src/engine/store/shared-segments.ts';
import { oneFilter, type TaskSpec, type TestSpec } from '../../src/engine/tasks/task.ts';
import { runPass } from '../../src/engine/threads/pass.ts';
import { createWorkerPool } from '../../src/engine/threads/worker-pool.ts';
import { bloom } from '../../src/filters/bloom.ts';
import type { OwnRules } from '../../src/formats/bloomery/header.ts';
import { writeFile } from '../../src/formats/bloomery/writer.ts';
import { openSource } from '../../src/io/source.ts';
import { type Kernel, loadKernel } from '../../src/kernel/kernel.ts';
import { bitsFor } from '../../src/sizing/bloom.ts';
import { segmented } from '../../src/sizing/geometry.ts';
import { allOf } from '../../src/sizing/share.ts';
import { suppliedBy } from '../engine/building.ts';
import { timeBitArray } from './bit-array.ts';
import { writeLines } from './lines.ts';
import { median } from './runs.ts';

export const RULES: OwnRules = { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false };
const PIECE = 256 * 1024;

type Stages = Readonly<Record<string, number>>;

/** Milliseconds that some work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Reads a file into the memory of a kernel, and does nothing else. */
export function readOnly(kernel: Kernel, file: string): void {
  const into = kernel.bytes(kernel.reserve(PIECE), PIECE);
  const fd = openSync(file, 'r');
  while (readSync(fd, into, 0, PIECE, null) > 0);
  closeSync(fd);
}

/** Scans a file and passes its digests to `take`. */
export async function scanOnly(
  kernel: Kernel,
  file: string,
  take: Parameters<typeof createScanner>[2]['keys'],
  rules: OwnRules = RULES,
): Promise<void> {
  const options = { selection: WHOLE_LINES, rules: [rules], recordLimit: NO_LIMIT, keepRecords: false };
  const scanner = createScanner(kernel, options, { keys: take, lastKeys: take });
  await scanner.scan(openSource(file, 'records'));
  scanner.endBatch();
}

/** One round, in milliseconds: every stage including those before it, for a filter of `capacity` keys. */
async function round(file: string, folder: string, capacity: number): Promise<Stages> {
  const shape = { ...segmented(bitsFor(capacity, 0.01)), k: 7 };
  const filter = createFilter(bloom, shape, 1);
  const keys = { selection: WHOLE_LINES, rules: RULES };
  const observer = {
    onUnreadable: (error: Error) => {
      throw error;
    },
  };
  const pass = (spec: TaskSpec) =>
    runPass({
      context: { kernel: loadKernel(), threadIndex: 0 },
      pool: createWorkerPool(1),
      spec,
      inputs: [file],
      observer,
    });
  const ask = (print: TestSpec['print']): TestSpec => ({
    type: 'test',
    selection: WHOLE_LINES,
    ...oneFilter(filter, RULES),
    print,
    lineBuffered: false,
    bySource: false,
    stopAt: undefined,
  });
  const sort = (kernel: Kernel) => {
    const visits = createSegmentVisits(kernel, allOf(shape.segments), false, () => {});
    return scanOnly(kernel, file, visits.take);
  };
  const segments = openSegments(filter, loadKernel(), 0);
  const header = { ...RULES, ...shape, kind: bloom.id, capacity, targetFpr: 0.01, inserted: 0 };
  return {
    read: await timed(() => readOnly(loadKernel(), file)),
    scan: await timed(() => scanOnly(loadKernel(), file, () => {})),
    sort: await timed(() => sort(loadKernel())),
    build: await timed(() => pass({ type: 'add', ...keys, filter, replay: false })),
    count: await timed(() => pass(ask(undefined))),
    write: await timed(async () => {
      const supply = suppliedBy(segments, segments.fills());
      await writeFile({ name: join(folder, 'written'), replace: true }, loadKernel(), header, supply);
    }),
  };
}

/** Prints nanoseconds per key, stage by stage, for a filter sized for the input and for one ten times as large. */
export async function printStages(folder: string, lines: number, rounds: number): Promise<void> {
  const file = join(folder, 'members');
  writeLines(file, lines, () => 'key');
  const columns: Stages[] = [];
  for (const capacity of [lines, 10 * lines]) {
    const times: Stages[] = [];
    for (let i = 0; i < rounds; i++) {
      times.push({ ...(await round(file, folder, capacity)), ...timeBitArray(bitsFor(capacity, 0.01), 7, lines) });
    }
    const of = (stage: string) => (median(times.map((time) => time[stage] ?? 0)) * 1e6) / lines;
    columns.push({
      read: of('read'),
      'find line ends and hash': of('scan') - of('read'),
      'sort by segment': of('sort') - of('scan'),
      'set bits': of('build') - of('sort'),
      'build in all': of('build'),
      'test bits': of('count') - of('sort'),
      'count in all': of('count'),
      'write the file, with checksums and fsync': of('write'),
      'bit array: set bits': of('bitArrayAdd'),
      'bit array: test bits of members': of('bitArrayPresent'),
      'bit array: test bits of non-members': of('bitArrayAbsent'),
    });
  }
  const [small, large] = [lines, 10 * lines].map((capacity) => `${Math.round(bitsFor(capacity, 0.01) / 8e6)} MB`);
  console.log(`\n${'nanoseconds a key, one thread'.padEnd(44)}${small?.padStart(8)}${large?.padStart(9)}`);
  for (const stage of Object.keys(columns[0] ?? {})) {
    const cells = columns.map((column) => (column[stage] ?? 0).toFixed(1));
    console.log(`  ${stage.padEnd(42)}${cells[0]?.padStart(8)}${cells[1]?.padStart(9)}`);
  }
}
