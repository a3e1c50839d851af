import { realpathSync } from 'node:fs';
import { loadSeen, type SeenBefore, writeSeen } from '../engine/seen-state.ts';
import type { Seen } from '../engine/tasks/task.ts';
import type { Keeper } from '../engine/tasks/thread-context.ts';
import { ClosedPipe } from '../errors.ts';
import { checkOutput, type Output } from '../io/atomic-file.ts';
import { holding } from '../io/hold.ts';
import { displayName, lookAt, stateOf } from '../io/look.ts';
import { syncStandardOutput } from '../io/sink.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Span } from '../options/numbers.ts';
import { ratesLike } from '../quantities.ts';
import type { Messenger } from '../terminal/messages.ts';
import { fittingWith } from './dedup-fitting.ts';
import type { DedupOptions, StateOptions } from './dedup-options.ts';
import { nothingSeen, type SeenDesign } from './dedup-seen.ts';
import { requireRegular } from './in-place.ts';

type Keep = (seen: Seen, records: number) => Promise<void>;

/** What was seen before, and how it is saved together with what is seen now. */
export interface Memory {
  readonly before: SeenBefore;
  /** Saves the state while records are still read. */
  readonly keeper?: Keeper | undefined;
  /** Saves the state at the end. `records` is the number of records read. Without it, the state is discarded. */
  readonly keep?: Keep;
}

/**
 * Lets work continue with the state in a file. No other process may use the file meanwhile. `inputs` are the files that are read. Throws
 * `usage`, `input`, `format`, `mismatch`, `memory` and `output` errors.
 */
export async function withState<T>(
  kernel: Kernel,
  options: DedupOptions & { readonly state: StateOptions },
  design: SeenDesign,
  inputs: readonly string[],
  say: Messenger,
  work: (memory: Memory) => Promise<T>,
): Promise<T> {
  const { file, every, isForced } = options.state;
  requireRegular(file);
  const output = { name: file, replace: true, respectsProtection: !isForced };
  const remarks = await checkOutput(output, inputs);
  for (const remark of remarks) say.warning(remark);
  const target = lookAt(file) === undefined ? file : realpathSync(file);
  return holding(target, displayName(file), async () => {
    const state = stateOf(file);
    const before =
      state === undefined
        ? nothingSeen(design, options, 1)
        : await loadSeen(kernel, file, fittingWith(design, options));
    const remark = remarkOnRate(file, before, design);
    if (remark !== undefined) say.warning(remark);
    const keep = keeping(kernel, { ...output, unchangedSince: state }, before);
    return work({ before, keeper: every && keeperFor(every, before.records, keep), keep }).catch((error: unknown) => {
      // Records that no reader received must not count as seen the next time. The caller must learn that the state is
      // the old one.
      throw error instanceof ClosedPipe ? new ClosedPipe(true) : error;
    });
  });
}

/** The warning for a state that drops more records than a new one would, because it was made for another purpose. */
function remarkOnRate(file: string, { description }: SeenBefore, { parameters }: SeenDesign): string | undefined {
  const has = description.target?.targetFpr ?? 0;
  if (has <= parameters.targetFpr) return undefined;
  const rate = ratesLike([has, parameters.targetFpr]);
  return `${displayName(file)} has a false-positive rate of ${rate(has)}, so about ${rate(has)} of new records are dropped; a state made by dedup has ${rate(parameters.targetFpr)}`;
}

/** Saves the state to a file after all records were printed, if no other process has changed the file. */
function keeping(kernel: Kernel, output: Output, before: SeenBefore): Keep {
  let state = output.unchangedSince;
  return async (seen, records) => {
    syncStandardOutput();
    const replace = state !== undefined;
    const onPlaced = (now: string | undefined) => {
      state = now;
    };
    await writeSeen({ ...output, replace, unchangedSince: state, onPlaced }, kernel, { ...before, seen, records });
  };
}

function keeperFor(every: Span, begun: number, keep: Keep): Keeper {
  let kept = begun;
  let at = performance.now();
  const patience = (records: number): number | undefined => {
    if (records === kept || !('milliseconds' in every)) return undefined;
    return Math.max(0, every.milliseconds - (performance.now() - at));
  };
  return {
    isDue: (records) => ('records' in every ? records - kept >= every.records : patience(records) === 0),
    patience,
    async keep(seen, records) {
      await keep(seen, records);
      kept = records;
      at = performance.now();
    },
  };
}
