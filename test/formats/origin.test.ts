// The fingerprint of the inputs of a slice as text.

import { expect, test } from 'vitest';
import { fingerprintText } from '../../src/formats/origin.ts';

test.each([
  [0n, '0000000000000000'],
  [0xabcn, '0000000000000abc'],
  [2n ** 64n - 1n, 'ffffffffffffffff'],
])('the fingerprint %s has sixteen digits', (inputs, text) => {
  expect(fingerprintText({ slice: 1, slices: 2, inputs })).toBe(text);
});
