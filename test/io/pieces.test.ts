// A stream is read ahead by about a megabyte, and no further.

import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { piecesOf } from '../../src/io/pieces.ts';

const PIECE = 2 ** 16;
const AHEAD = 2 ** 20;

test('a stream is paused while enough of it waits to be read, and continues later', async () => {
  let delivered = 0;
  const stream = new Readable({
    read() {
      this.push(new Uint8Array(PIECE).fill(delivered / PIECE));
      delivered += PIECE;
    },
  });
  const pieces = piecesOf(stream, () => {});
  const settled = async () => {
    for (let before = -1; before !== delivered; ) {
      before = delivered;
      for (let turn = 0; turn < 10; turn++) await setImmediate();
    }
  };
  const into = new Uint8Array(AHEAD / 2);
  for (let taken = 0; taken < 4 * AHEAD; taken += into.length) {
    await settled();
    expect(stream.isPaused()).toBe(true);
    // The stream itself has a piece or two.
    expect(delivered - taken).toBeGreaterThanOrEqual(AHEAD);
    expect(delivered - taken).toBeLessThanOrEqual(AHEAD + 3 * PIECE);
    expect(pieces.take(into)).toBe(into.length);
    expect(into.every((byte, i) => byte === ((taken + i - ((taken + i) % PIECE)) / PIECE) % 256)).toBe(true);
  }
  stream.destroy();
});
