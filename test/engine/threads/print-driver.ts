// Queries filters with threads and prints the answers. It is a process of its own, because threads write to the standard output. It
// reads jobs as JSON from the standard input, and prints a line after each job.

import { readFileSync } from 'node:fs';
import type { KeySelection } from '../../../src/engine/input/key-selection.ts';
import { queryWithin } from '../../../src/engine/query.ts';
import type { LineStyle } from '../../../src/engine/tasks/line-style.ts';
import { NOTHING, plus, selectedIn, type Tally } from '../../../src/engine/tasks/tally.ts';
import type { Combination, StopAt } from '../../../src/engine/tasks/task.ts';
import type { WorkerPool } from '../../../src/engine/threads/worker-pool.ts';
import { print } from '../../../src/io/sink.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { openedFilter } from '../../formats/bloomery/opened.ts';
import { closeUsedPools, eager, withPipes, withUsedPoolOf } from './worker-pools.ts';

export interface Job {
  readonly threads: number;
  readonly chunk: number;
  /** Bytes that the main thread reads before it starts the other threads. */
  readonly worthwhile: number;
  readonly filters: readonly string[];
  readonly combination: Combination;
  readonly inputs: readonly string[];
  /** The inputs are read from pipes. */
  readonly arePipes: boolean;
  /** The input is large enough to start the threads. */
  readonly startsThreads: boolean;
  readonly selection: KeySelection;
  readonly print: LineStyle;
  readonly stopAt?: StopAt | undefined;
  /** Bytes that the filters may use. If they have more, they are queried part by part. */
  readonly memory?: number | undefined;
}

/** A text that no input contains. */
export const END_OF_JOB = '\n== end of job ==\n';

async function run(job: Job): Promise<void> {
  const { threads, chunk, worthwhile, filters, combination, selection, print: style, stopAt, memory } = job;
  const ask = async (pool: WorkerPool, inputs: readonly string[]) => {
    const kernel = loadKernel();
    const loaded = await Promise.all(filters.map((filter) => openedFilter(kernel, filter, pool.threadCount)));
    const observer = {
      onUnreadable(error: Error) {
        throw error;
      },
    };
    const spec = {
      type: 'test',
      filters: loaded.map((one) => ({ filter: one.store, rules: one.description.rules })),
      combination,
      selection,
      print: combination.named === 'none' ? style : { ...style, filterNames: filters },
      lineBuffered: false,
      bySource: false,
      stopAt,
    } as const;
    const found = inputs.map(() => 0);
    const onTally = (input: number, tally: Tally) => {
      if (stopAt === undefined) return false;
      found[input] = (found[input] ?? 0) + selectedIn(tally, stopAt.selected);
      return (found[input] ?? 0) >= stopAt.records;
    };
    const shapes = loaded.map(({ description }) => description.shape);
    const context = { kernel, threadIndex: 0 };
    const results = await queryWithin({ ...{ context, pool, spec, inputs, observer, onTally }, ...{ shapes, memory } });
    for (const { close } of loaded) close();
    if (stopAt === undefined) return;
    // The counts must match the output.
    const tally = results.reduce<Tally>(plus, NOTHING);
    print(`${tally.records} ${tally.positives}\n`);
  };
  const askAll = (pool: WorkerPool) =>
    job.arePipes ? withPipes(job.inputs, (pipes) => ask(pool, pipes)) : ask(pool, job.inputs);
  await withUsedPoolOf(threads, eager(chunk, worthwhile), askAll, job.startsThreads);
  print(END_OF_JOB);
}

/** The main function of the program. */
export async function main(): Promise<void> {
  const jobs: readonly Job[] = JSON.parse(readFileSync(0, 'utf8'));
  for (const job of jobs) await run(job);
  await closeUsedPools();
}
