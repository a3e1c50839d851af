import type { Kernel } from '../../kernel/kernel.ts';
import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import type { SourcePart } from './task.ts';
import { awaitTurn, passTurn } from './turns.ts';

/** Holds digests until it is the turn of their part, so that the digests of all threads are handled in the order of their records. */
export interface Order {
  begin(part: SourcePart): void;
  take(digests: Digests): void;
  /**
   * Waits for the turn, and lets the waiting digests go. Returns false if an earlier part of the same file could not be read to its end.
   * The part is then discarded.
   */
  release(): boolean;
  /** Ends the part after all of its digests were taken. `isCutOff`: the part could not be read to its end. */
  end(isCutOff: boolean): void;
}

/** An order in which up to `limit` digests wait. With more digests, the thread waits for its turn. */
export function createOrder(
  kernel: Kernel,
  { digestBytes, limit }: { readonly digestBytes: number; readonly limit: number },
  letGo: (digests: Digests) => void,
): Order {
  let turn: SourcePart['turn'];
  let isAwaited = false;
  let isFirst = true;
  let isBehindCut = false;
  let buffers: { readonly digests: number; readonly owners: number } | undefined;
  let waiting: Digests[] = [];
  let count = 0;
  const hold = (digests: Digests) => {
    buffers ??= {
      digests: kernel.reserve(digestBytes * (limit + VISIT_LIMIT)),
      owners: kernel.reserve(4 * (limit + VISIT_LIMIT)),
    };
    const address = buffers.digests + digestBytes * count;
    const owners = digests.owners && buffers.owners + 4 * count;
    const bytes = digestBytes * digests.count;
    kernel.bytes(address, bytes).set(kernel.bytes(digests.address, bytes));
    if (owners !== 0) kernel.bytes(owners, 4 * digests.count).set(kernel.bytes(digests.owners, 4 * digests.count));
    waiting.push({ ...digests, address, owners });
    count += digests.count;
  };
  const release = () => {
    if (isAwaited && turn !== undefined) {
      awaitTurn(turn.adding, turn.number);
      isBehindCut = !isFirst && Number.isNaN(turn.adding.records[0]);
      isAwaited = false;
    }
    if (!isBehindCut) for (const digests of waiting) letGo(digests);
    waiting = [];
    count = 0;
    return !isBehindCut;
  };
  return {
    begin(part) {
      ({ turn, first: isFirst } = part);
      isAwaited = turn !== undefined;
      isBehindCut = false;
    },
    take(digests) {
      if (digests.count === 0) return;
      if (!isAwaited) {
        if (!isBehindCut) letGo(digests);
        return;
      }
      hold(digests);
      if (count > limit) release();
    },
    release,
    end(isCutOff) {
      release();
      if (turn !== undefined) passTurn(turn.adding, turn.number, isCutOff || isBehindCut ? Number.NaN : 0);
      turn = undefined;
    },
  };
}
