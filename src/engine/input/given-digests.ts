import { giveUp } from '../../io/piece-source.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Key, type KeyDigests, requireDigests } from './given-keys.ts';
import { DIGEST_BYTES } from './record-ends.ts';

/** The name of the keys in messages. */
const NAME = 'the keys';

/** The digests of keys that a program gives, as a source. An error of the program is thrown by the source's `read` or `wait`. */
export function givenDigests(
  kernel: Kernel,
  digests: KeyDigests,
  keys: Iterable<Key> | AsyncIterable<Key>,
): ByteSource {
  const isAsync = Symbol.asyncIterator in keys;
  const iterator = isAsync ? keys[Symbol.asyncIterator]() : keys[Symbol.iterator]();
  let isOver = false;
  /** Digests that were made, but not yet read. */
  let made: Uint8Array = new Uint8Array();
  /** The key that did not fit in the batch. */
  let next: Key | undefined;

  const finish = () => {
    const { address, count } = digests.take();
    requireDigests(digests);
    made = kernel.bytes(address, DIGEST_BYTES * count);
  };
  /** Adds the iterator's result to the batch. Returns true if the batch is full or the iterator has ended. */
  const isFullWith = ({ done, value }: IteratorResult<Key>): boolean => {
    if (done) isOver = true;
    else if (!digests.put(value)) next = value;
    return isOver || next !== undefined;
  };
  const begin = () => {
    if (next !== undefined) digests.put(next);
    next = undefined;
  };
  const fill = () => {
    begin();
    if (!isAsync) while (!isFullWith((iterator as Iterator<Key>).next()));
    finish();
  };
  const fillLater = async () => {
    begin();
    while (!isFullWith(await iterator.next()));
    finish();
  };
  const take = (into: Uint8Array): number => {
    const part = made.subarray(0, into.length);
    into.set(part);
    made = made.subarray(part.length);
    return part.length;
  };
  const hasMore = () => !isOver || next !== undefined;
  return {
    name: NAME,
    size: undefined,
    read(into) {
      if (made.length === 0 && hasMore()) {
        if (isAsync) return undefined;
        fill();
      }
      return take(into);
    },
    async wait(into) {
      if (made.length === 0 && hasMore()) await fillLater();
      return take(into);
    },
    close() {
      if (!isOver) giveUp(iterator);
    },
  };
}
