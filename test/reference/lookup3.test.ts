import { expect, test } from 'vitest';
import { lookup3 } from './lookup3.ts';

// `driver5` of lookup3.c.
test.each([
  ['', 0, 0xdeadbeef],
  ['', 0xdeadbeef, 0xbd5b7dde],
  ['Four score and seven years ago', 0, 0x17770551],
  ['Four score and seven years ago', 1, 0xcd628161],
])('%s, seed %d', (text, seed, hash) => {
  expect(lookup3(new Uint8Array(Buffer.from(text)), seed)).toBe(hash);
});
