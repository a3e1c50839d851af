// The names of temporary files beside a file.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { siblingOf } from '../../src/io/sibling.ts';

test.each([
  ['a', 'lock', '.a.lock'],
  ['folder/a.bloom', '7.tmp', 'folder/.a.bloom.7.tmp'],
  ['/b', 'lock', '/.b.lock'],
  ['x'.repeat(60), 'lock', `.${'x'.repeat(60)}.lock`],
  // The FNV-1a of the whole name with 64 bits, computed in Python.
  [`a${'b'.repeat(60)}`, 'lock', `.a${'b'.repeat(59)}~7672ba518e359c14.lock`],
])('%s with %s', (file, ending, sibling) => expect(siblingOf(file, ending)).toBe(sibling));

test('different files have different siblings, which fit in 255 bytes', () => {
  const name = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'é', '語', '~', '0'), minLength: 1, maxLength: 200 }),
    fc.nat(200).map((length) => `${'x'.repeat(62)}${length}`),
  );
  const property = fc.property(name, name, (one, other) => {
    expect(siblingOf(one, 'lock') === siblingOf(other, 'lock')).toBe(one === other);
    expect(Buffer.from(siblingOf(one, '12345678901234.tmp')).length).toBeLessThanOrEqual(255);
  });
  fc.assert(property, { seed: 60, numRuns: 1000 });
});
