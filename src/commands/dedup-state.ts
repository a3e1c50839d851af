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

/** What was seen before, and how it is kept with what is seen now. */
export interface Memory {
  readonly before: SeenBefore;
  /** Keeps it while records still come. */
  readonly keeper?: Keeper | undefined;
  /** Keeps it in the end, so many records having gone by; without it it is forgotten. */
  readonly keep?: Keep;
}

/**
 * Lets some work go on with what was seen before, in a file that no other process may work on meanwhile; `inputs` are what is read.
 * Throws `usage`, `input`, `format`, `mismatch`, `memory` and `output` errors.
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
      // What nobody has read must not be known the next time, and whoever counts on the file has to hear that it is the old one.
      throw error instanceof ClosedPipe ? new ClosedPipe(true) : error;
    });
  });
}

/** What to say of a state that drops more than a new one would: somebody made it who had other uses for it. */
function remarkOnRate(file: string, { description }: SeenBefore, { parameters }: SeenDesign): string | undefined {
  const has = description.target?.targetFpr ?? 0;
  if (has <= parameters.targetFpr) return undefined;
  const rate = ratesLike([has, parameters.targetFpr]);
  return `${displayName(file)} has a false-positive rate of ${rate(has)}, so about ${rate(has)} of new records are dropped; a state made by dedup has ${rate(parameters.targetFpr)}`;
}

/** What keeps what was seen in a file, as long as nobody else writes to it: after all that was printed. */
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
