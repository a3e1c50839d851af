import type { Digests } from './digests.ts';
import type { Key, KeyDigests } from './given-keys.ts';

/** What takes the digests of keys. No code of the program that gives the keys runs in it. */
export interface DigestSink {
  /** What it does with them changes what a filter answers. */
  readonly isChange: boolean;
  /** Takes digests over, of which some may wait in it. */
  take(digests: Digests): void;
  /** Does what is to be done with those that wait. */
  conclude(): void;
}

/**
 * The way of keys from the iterables of a program to sinks. To give the next key is code of the program, which may ask the filter, change
 * or save it, or give it other keys. So whoever is to see the keys that were given by then settles them first, and each key counts
 * from the moment at which it was given, as if there were no batches.
 */
export interface KeyFeed {
  /** Gives a sink the digests of keys. What the iterable throws is thrown once the sink has concluded those before. */
  feed(given: Iterable<Key>, to: DigestSink): void;
  /** Lets the sink of an iterable that still gives keys conclude those that it gave so far. Throws what the sink throws. */
  settle(): void;
  /** The same only for a sink that changes what a filter answers. */
  settleChanges(): void;
}

export function createKeyFeed({ put, take }: KeyDigests): KeyFeed {
  /** The sink whose iterable gives keys; of several, within each other, the innermost: the others have concluded all theirs. */
  let current: DigestSink | undefined;
  const settle = () => {
    try {
      current?.take(take());
    } finally {
      current?.conclude();
    }
  };
  return {
    feed(given, to) {
      settle();
      const outer = current;
      current = to;
      try {
        for (const key of given) {
          if (put(key)) continue;
          to.take(take());
          put(key);
        }
      } finally {
        try {
          settle();
        } finally {
          current = outer;
        }
      }
    },
    settle,
    settleChanges() {
      if (current?.isChange) settle();
    },
  };
}
