import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { createScanner } from '../input/scanner.ts';
import { createDistinctCounter } from './distinct-keys.ts';
import { NOTHING } from './tally.ts';
import type { CountSpec, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Counts the distinct keys of sources: exactly while there are few, then in the registers of a sketch. */
export function openCount({ kernel }: ThreadContext, { selection, rules, logRegisters }: CountSpec): Task {
  const { exports } = kernel;
  const counter = createDistinctCounter(kernel);
  const numbers = kernel.reserve(8 * VISIT_LIMIT);
  const size = 2 ** logRegisters;
  const registers = kernel.reserve(size);
  let isExact = true;
  const note = ({ address, count }: Digests) => {
    if (count === 0) return;
    if (!isExact) {
      exports.noteDigests(registers, size - 1, address, count);
      return;
    }
    exports.couponNumbers(address, count, numbers);
    isExact = counter.note({ address: numbers, count });
    if (isExact) return;
    const slots = counter.slots();
    exports.noteCoupons(registers, size - 1, slots.address, slots.count);
    exports.noteCoupons(registers, size - 1, numbers, count);
  };
  const scanner = createScanner(kernel, { selection, rules: [rules] }, { keys: note, lastKeys: note });
  return {
    async scan(source, _, onRead) {
      return { ...NOTHING, ...(await scanner.scan(source, onRead)) };
    },
    finish() {
      scanner.endBatch();
      const distinct = counter.table();
      const counted = distinct === undefined ? { registers: kernel.bytes(registers, size) } : { distinct };
      return { type: 'count', ...NOTHING, ...scanner.tally(), ...counted };
    },
  };
}
