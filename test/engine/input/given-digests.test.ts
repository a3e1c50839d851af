// The digests of keys that a program gives are those of the oracle, in order, however many bytes are read at a time.

import { expect, test } from 'vitest';
import { givenDigests } from '../../../src/engine/input/given-digests.ts';
import { createKeyDigests } from '../../../src/engine/input/given-keys.ts';
import { usedKernel } from '../../kernel/kernels.ts';
import { PLAIN_RULES } from '../../kernel/scanning.ts';
import { xxh64 } from '../../reference/xxh64.ts';

/** More keys than a batch has. */
const COUNT = 9000;
const KEYS = Array.from({ length: COUNT }, (_, i) => `key ${i}`);
const DIGESTS = KEYS.map((key) => xxh64(new Uint8Array(Buffer.from(key)), 0n));

const made: { ended: number } = { ended: 0 };

/** Gives keys, and counts how often the source ends it early. */
function* given() {
  let isDone = false;
  try {
    yield* KEYS;
    isDone = true;
  } finally {
    if (!isDone) made.ended++;
  }
}

async function* givenLater() {
  yield* given();
}

const sourceOf = (keys: Iterable<string> | AsyncIterable<string>) => {
  const kernel = usedKernel();
  return givenDigests(kernel, createKeyDigests(kernel, PLAIN_RULES), keys);
};

test.each([24, 5000])('in pieces of %d bytes, at once and later', async (most) => {
  for (const keys of [given(), givenLater()]) {
    const source = sourceOf(keys);
    const found: bigint[] = [];
    const piece = new Uint8Array(most);
    for (;;) {
      const bytes = source.read(piece) ?? (await source.wait(piece));
      if (bytes === 0) break;
      found.push(...new BigUint64Array(piece.buffer.slice(0, bytes)));
    }
    expect(found).toEqual(DIGESTS);
    source.close();
  }
  expect(made.ended).toBe(0);
});

test('a source that is closed early ends the keys, once', async () => {
  for (const keys of [given(), givenLater()]) {
    made.ended = 0;
    const source = sourceOf(keys);
    const piece = new Uint8Array(80);
    expect(source.read(piece) ?? (await source.wait(piece))).toBe(80);
    source.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(made.ended).toBe(1);
  }
});
