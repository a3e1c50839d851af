import type { Digests } from './digests.ts';
import { type Key, type KeyDigests, requireDigests } from './given-keys.ts';

/** Receives digests of keys. It never runs code of the program that gives the keys. */
export interface DigestSink {
  /** The work of the sink changes the answers of a filter. */
  readonly isChange: boolean;
  /** Accepts digests, some of which may wait in the sink. */
  take(digests: Digests): void;
  /** Handles the digests that wait. */
  conclude(): void;
}

/**
 * Passes keys from the iterables of a program to sinks.
 *
 * The code that gives the next key belongs to the program. It may query the filter, change or save it, or give it other keys. So every
 * function that must see the keys given so far settles them first. Each key counts from the moment it was given, as if there were no
 * batches.
 */
export interface KeyFeed {
  /**
   * Passes the digests of keys to a sink. If the iterable throws, the sink first concludes the keys before, and the error is then thrown.
   */
  feed(given: Iterable<Key>, to: DigestSink): void;
  /** Lets the sink of an iterable that still gives keys conclude the keys so far. Throws what the sink throws. */
  flush(): void;
  /** The same, but only for a sink that changes the answers of a filter. */
  flushChanges(): void;
}

export function createKeyFeed(keys: KeyDigests): KeyFeed {
  const { put } = keys;
  /** The sink whose iterable gives keys. If several are nested, it is the innermost: the outer sinks have concluded their keys. */
  let current: DigestSink | undefined;
  const pass = (to: DigestSink | undefined) => {
    const digests = keys.take();
    if (to?.isChange) requireDigests(keys);
    to?.take(digests);
  };
  const flush = () => {
    try {
      pass(current);
    } finally {
      current?.conclude();
    }
  };
  return {
    feed(given, to) {
      flush();
      const outer = current;
      current = to;
      try {
        for (const key of given) {
          if (put(key)) continue;
          pass(to);
          put(key);
        }
      } finally {
        try {
          flush();
        } finally {
          current = outer;
        }
      }
    },
    flush,
    flushChanges() {
      if (current?.isChange) flush();
    },
  };
}
