import { BloomError, valueType } from '../../errors.ts';
import type { KeyRules } from '../../formats/description.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Digests } from './digests.ts';
import { createHashing, digestBytesOf, type HashKeys } from './hashing.ts';
import { createKeyBytes, type KeyBytes, SHORT, SHORT_BYTES, writeAscii } from './key-bytes.ts';
import { createEncoding, isHashedAsItIs } from './key-encoding.ts';

/** A key that a program gives: bytes, or a text, which stands for its UTF-8 bytes. */
export type Key = string | Uint8Array;

/** The digest of one key. */
export interface OneDigest extends Digests {
  readonly word: BigUint64Array;
  readonly halves: Uint32Array;
}

/** Makes digests of keys that a program gives. */
export interface KeyDigests {
  /** The digest of one key after `digestOne`. `word` is its first word, and `halves` are the low and the high half of this word. */
  readonly one: OneDigest;
  /** Makes the digest of one key, outside the batch. Returns false for a key without a digest: it is not a value of the key type. */
  digestOne(key: Key): boolean;
  /** Adds a key to the batch. Returns false if the batch is full and must be taken. */
  put(key: Key): boolean;
  /** The digests of the batch, in the order of its keys. A new batch begins. */
  take(): Digests;
  /** The indices of keys without a digest in the batch that was taken last. */
  without(): readonly number[];
}

/** Throws a `usage` error if the batch that was taken last has a key without a digest: it cannot become a member. */
export function requireDigests({ without }: Pick<KeyDigests, 'without'>): void {
  if (without().length === 0) return;
  throw new BloomError('usage', 'a key to add is not a value of the type of keys, such as a digest in hexadecimal');
}

/**
 * The largest number of keys per batch, and of characters or bytes. Keys stay in the cache until they are hashed. The concatenated text is
 * small, because V8 gives a large object new pages each time.
 */
const BATCH = 2 ** 12;
const BATCH_LENGTH = 2 ** 16;

const SPAN = 8;

/** The first size of the memory for a single long key, in bytes. */
const ONE_LENGTH = 2 ** 10;

/** Makes digests of keys by some rules. */
export function createKeyDigests(kernel: Kernel, rules: KeyRules): KeyDigests {
  const hash = createHashing(kernel, rules);
  const encode = createEncoding(kernel, rules);
  /** Hashes keys, given by their spans. Returns the number of keys without a digest. */
  const make = (spans: number, count: number, most: number, digests: number): number => {
    const without = encode(spans, count, most);
    hash(spans, count, digests);
    return without;
  };
  return {
    ...createOneDigest(kernel, rules, hash, make),
    ...createBatchDigests(kernel, digestBytesOf(rules), make),
  };
}

type MakeDigests = (spans: number, count: number, most: number, digests: number) => number;

/** A single key and its digest have their own memory: a program may look up a key while it gives the keys of a batch. */
function createOneDigest(
  kernel: Kernel,
  rules: KeyRules,
  hash: HashKeys,
  make: MakeDigests,
): Pick<KeyDigests, 'one' | 'digestOne'> {
  const span = kernel.reserve(SPAN);
  const place = new Uint32Array(kernel.memory.buffer, span, 2);
  const address = kernel.reserve(digestBytesOf(rules));
  const bytes = createKeyBytes(kernel, ONE_LENGTH);
  // Most keys are short and hashed without change; this path is the fastest for them.
  const isPlain = isHashedAsItIs(rules);
  const shortAt = kernel.reserve(SHORT_BYTES);
  const short = new Uint32Array(kernel.memory.buffer, shortAt, SHORT_BYTES / 4);
  return {
    one: {
      address,
      count: 1,
      owners: 0,
      firstOwner: 0,
      word: new BigUint64Array(kernel.memory.buffer, address, 1),
      halves: new Uint32Array(kernel.memory.buffer, address, 2),
    },
    digestOne(key) {
      if (typeof key === 'string' && key.length <= SHORT && isPlain && writeAscii(key, short, 0)) {
        place[0] = shortAt;
        place[1] = key.length;
        hash(span, 1, address);
        return true;
      }
      bytes.clear();
      place[1] = typeof key === 'string' ? bytes.putText(key) : bytes.put(requireBytes(key));
      place[0] = bytes.address();
      return make(span, 1, bytes.total(), address) === 0;
    },
  };
}

/** The digests of batches of keys. */
function createBatchDigests(
  kernel: Kernel,
  digestBytes: number,
  make: MakeDigests,
): Pick<KeyDigests, 'put' | 'take' | 'without'> {
  const spans = kernel.reserve(SPAN * BATCH);
  const address = kernel.reserve(digestBytes * BATCH);
  const spanWords = new Uint32Array(kernel.memory.buffer, spans, 2 * BATCH);
  const bytes = createKeyBytes(kernel, BATCH_LENGTH);
  const batch = createBatch(spanWords, bytes);
  let count = 0;
  let areWithout = false;
  // A key without a digest has an empty span at address 0.
  const isMissing = (index: number) => spanWords[2 * index] === 0 && spanWords[2 * index + 1] === 0;
  return {
    put: batch.put,
    take() {
      try {
        count = batch.end();
        areWithout = make(spans, count, bytes.total(), address) > 0;
      } finally {
        bytes.clear();
      }
      return { address, count, owners: 0, firstOwner: 0 };
    },
    without: () => (areWithout ? [...Array(count).keys()].filter(isMissing) : []),
  };
}

/** Keys on their way to kernel memory. */
interface Batch {
  put(key: Key): boolean;
  /** Begins the next batch. Returns the number of keys of this one; their spans are addresses in kernel memory. */
  end(): number;
}

/** A batch of keys. Its texts are written together, which takes a third of the time. */
function createBatch(spanWords: Uint32Array, bytes: KeyBytes): Batch {
  let count = 0;
  let length = 0;
  /** Texts that were not written yet: the last keys of the batch. */
  let texts: string[] = [];

  const writeTexts = () => {
    const joined = texts.join('');
    const isAscii = bytes.putText(joined) === joined.length;
    let at = bytes.address();
    for (let i = 0, place = 2 * (count - texts.length); i < texts.length; i++, place += 2) {
      if (!isAscii) {
        spanWords[place + 1] = bytes.putText(texts[i] ?? '');
        at = bytes.address();
      }
      spanWords[place] = at;
      at += spanWords[place + 1] ?? 0;
    }
    texts = [];
  };
  return {
    put(key) {
      if (count === BATCH || length >= BATCH_LENGTH) return false;
      if (typeof key === 'string') texts.push(key);
      else {
        const given = requireBytes(key);
        if (texts.length > 0) writeTexts();
        bytes.put(given);
        spanWords[2 * count] = bytes.address();
      }
      spanWords[2 * count + 1] = key.length;
      length += key.length;
      count++;
      return true;
    },
    end() {
      try {
        if (texts.length > 0) writeTexts();
        return count;
      } finally {
        // If memory for the keys was lacking, the next batch must not contain them either.
        texts = [];
        count = 0;
        length = 0;
      }
    },
  };
}

/**
 * Throws a `usage` error for a value that is not a key, because callers may be untyped. A proxy of bytes is rejected: it could run code
 * while it is read.
 */
export function requireBytes(key: unknown): Uint8Array {
  if (key instanceof Uint8Array && ArrayBuffer.isView(key)) return key;
  throw new BloomError('usage', `a key must be a string or a Uint8Array, not ${valueType(key)}`);
}
