import type { Sink } from '../../io/sink.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { VISIT_LIMIT } from '../input/digests.ts';
import { createRoom } from '../input/key-encoding.ts';
import { createKeyFinder, type FoundKeys } from '../input/key-finder.ts';
import type { AnsweredBatch } from '../input/scanning.ts';
import type { BatchAnswers } from './answers.ts';
import { createLinePrinter, type LinePrinter } from './line-printer.ts';
import type { LineStyle } from './line-style.ts';

/** Room that is taken for keys at least; more is a power of two, as none is given back. */
const KEY_BYTES = 256 * 1024;

/** Prints in the place of records those of their keys that filters have; of absent ones those that they have not. */
export function createKeyPrinter(
  kernel: Kernel,
  style: LineStyle,
  terminator: number,
  { rules, digests, conclude }: BatchAnswers,
  sink: Sink,
): LinePrinter {
  const { exports: entries } = kernel;
  // A key has no end, and nothing of it is one: what an object leaves out as such is none of it.
  const lines = createLinePrinter(kernel, style, true, sink);
  const ends = kernel.reserve(4 * VISIT_LIMIT);
  const numbers = kernel.reserve(4 * VISIT_LIMIT);
  const roomFor = createRoom(kernel);
  /** Lines of those keys of records that are wanted, each of which has a place of its own there. */
  const print = ({ count, spans, records }: FoundKeys, { matches, rows }: AnsweredBatch) => {
    new Uint32Array(kernel.memory.buffer, numbers, count).set(records);
    const bytes = Math.max(KEY_BYTES, entries.keyBytes(spans, matches, style.wanted, count) >>> 0);
    const start = roomFor(2 ** Math.ceil(Math.log2(bytes)));
    entries.layOutKeys(spans, matches, style.wanted, count, terminator, start, ends);
    lines.print({ count, start, ends, matches, numbers, ...(rows && { rows }) });
  };
  const finder = createKeyFinder(kernel, rules, {
    digests,
    keys: (found) => conclude(found.count, (answered) => print(found, answered)),
  });
  let file: string | undefined;
  let recordsBefore = 0;
  return {
    startFile(name, before) {
      file = name;
      recordsBefore = before;
      lines.startFile(name, before);
    },
    print(batch) {
      finder.find(batch, kernel.bytes(batch.matches, batch.count).slice(), style.wanted);
      recordsBefore += batch.count;
      lines.startFile(file, recordsBefore);
    },
    flush: lines.flush,
  };
}
