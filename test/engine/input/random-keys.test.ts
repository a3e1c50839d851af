import { expect, test } from 'vitest';
import { randomKeys } from '../../../src/engine/input/random-keys.ts';

/** All bytes of a source, read in pieces of some bytes. */
function read(count: number, piece: number): string {
  const source = randomKeys(count);
  const parts: Buffer[] = [];
  for (;;) {
    const into = new Uint8Array(piece);
    const bytes = source.read(into) ?? 0;
    if (bytes === 0) break;
    parts.push(Buffer.from(into.subarray(0, bytes)));
  }
  expect(Buffer.concat(parts).length).toBe(source.size);
  return Buffer.concat(parts).toString();
}

const digits = (counter: number) => [...String(counter).padStart(12, '0')].reverse().join('');

test.each([37, 100, 2 ** 18])(
  'random keys count up, the lowest digit first, and have a random part in common, in pieces of %d bytes',
  (piece) => {
    const lines = read(1_111, piece).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(1_111);
    const salt = lines[0]?.slice(12) ?? '';
    expect(salt).toMatch(/^[0-9a-f]{24}$/);
    for (const [i, line] of lines.entries()) expect(line).toBe(`${digits(i)}${salt}`);
  },
);

test('each source has random keys of its own', () => {
  expect(read(1, 100)).not.toBe(read(1, 100));
});
