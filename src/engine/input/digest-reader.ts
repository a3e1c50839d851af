import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { NO_DIGESTS, VISIT_LIMIT } from './digests.ts';
import { cutDigest, DIGEST_BYTES } from './record-ends.ts';
import type { Consumer, Scanner } from './scanning.ts';

/** Reads digests that were made before. Each digest is a record and its key, and is handed over at once. */
export function createDigestReader(kernel: Kernel, consumer: Consumer): Scanner {
  const size = DIGEST_BYTES * VISIT_LIMIT;
  const address = kernel.reserve(size);
  let total = 0;
  /** Bytes of an incomplete digest. */
  let rest = 0;
  const take = (bytes: number) => {
    const end = rest + bytes;
    const count = Math.floor(end / DIGEST_BYTES);
    consumer.keys({ address, count, owners: 0, firstOwner: 0, recordsBefore: total }, 0);
    total += count;
    rest = end - DIGEST_BYTES * count;
    kernel.bytes(address, size).copyWithin(0, DIGEST_BYTES * count, end);
  };
  const room = () => kernel.bytes(address + rest, size - rest);
  return {
    async scan(source: ByteSource, onRead) {
      const before = total;
      rest = 0;
      for (;;) {
        let bytes = source.read(room());
        if (bytes === undefined) {
          consumer.idle?.();
          bytes = await source.wait(room());
        }
        if (bytes === 0) break;
        take(bytes);
        const pause = onRead?.(bytes);
        if (pause !== undefined) await pause;
      }
      if (rest > 0) throw cutDigest(source.name);
      return { records: total - before, keys: total - before };
    },
    settle: () => consumer.lastKeys({ ...NO_DIGESTS, recordsBefore: total }, 0),
    tally: () => ({ records: total, keys: total }),
    commentsBefore: () => 0,
  };
}
