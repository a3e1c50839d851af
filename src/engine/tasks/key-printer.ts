import type { Sink } from '../../io/sink.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { VISIT_LIMIT } from '../input/digests.ts';
import { createScratch } from '../input/key-encoding.ts';
import { createKeyFinder, type FoundKeys } from '../input/key-finder.ts';
import type { AnsweredBatch } from '../input/scanning.ts';
import type { BatchAnswers } from './answers.ts';
import { createLinePrinter, type LinePrinter } from './line-printer.ts';
import type { LineStyle } from './line-style.ts';

/** The smallest buffer for keys, in bytes. Larger buffers are powers of two, because a kernel never releases memory. */
const KEY_BYTES = 256 * 1024;

/** Prints the matching keys instead of their records; for absent records, prints the absent keys. */
export function createKeyPrinter(
  kernel: Kernel,
  style: LineStyle,
  terminator: number,
  { rules, digests, conclude }: BatchAnswers,
  sink: Sink,
): LinePrinter {
  const { exports: entries } = kernel;
  // Keys are printed as if they ended with NUL: JSON output removes a CR from the end of a line, but a key keeps it.
  const lines = createLinePrinter(kernel, style, true, sink);
  const ends = kernel.reserve(4 * VISIT_LIMIT);
  const numbers = kernel.reserve(4 * VISIT_LIMIT);
  const scratchFor = createScratch(kernel);
  /** Prints the wanted keys of records, which are first copied one after the other. */
  const print = ({ count, spans, records }: FoundKeys, { matches, rows }: AnsweredBatch) => {
    new Uint32Array(kernel.memory.buffer, numbers, count).set(records);
    const bytes = Math.max(KEY_BYTES, entries.keyBytes(spans, matches, style.wanted, count) >>> 0);
    const start = scratchFor(2 ** Math.ceil(Math.log2(bytes)));
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
