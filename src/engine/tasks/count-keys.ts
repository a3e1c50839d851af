import { type Digests, VISIT_LIMIT } from '../input/digests.ts';
import { createScanner } from '../input/scanner.ts';
import { NOTHING } from './tally.ts';
import type { CountSpec, Task } from './task.ts';
import type { ThreadContext } from './thread-context.ts';

/** Counts the distinct keys of sources: exactly while there are few, then in the registers of a sketch. */
export function openCount({ kernel }: ThreadContext, { selection, rules, logRegisters }: CountSpec): Task {
  const { exports } = kernel;
  const bytes = exports.distinctTableBytes();
  const table = kernel.reserve(bytes);
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
    if (exports.noteDistinct(table, numbers, count) !== 0) return;
    isExact = false;
    exports.noteCoupons(registers, size - 1, table, exports.distinctTableSlots());
    exports.noteCoupons(registers, size - 1, numbers, count);
  };
  const scanner = createScanner(kernel, { selection, rules: [rules] }, { keys: note, lastKeys: note });
  return {
    async scan(source, _, onRead) {
      return { ...NOTHING, ...(await scanner.scan(source, onRead)) };
    },
    finish() {
      scanner.endBatch();
      const counted = isExact ? { distinct: kernel.bytes(table, bytes) } : { registers: kernel.bytes(registers, size) };
      return { type: 'count', ...NOTHING, ...scanner.tally(), ...counted };
    },
  };
}
