// Sources that read from another source have the same bytes as it, wherever they stop.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedSource } from '../../src/io/bounded.ts';
import { buffered } from '../../src/io/buffered.ts';
import { readFully } from '../../src/io/source.ts';
import { piecewise } from '../kernel/pieces.ts';
import { inLongRuns } from '../long.ts';
import { createRandom } from '../reference/random.ts';

const lengths = fc.array(fc.oneof(fc.nat(300), fc.integer({ min: 60_000, max: 70_000 })), { maxLength: 8 });

test('consecutive parts of a source are read in order, each up to its end', async () => {
  await fc.assert(
    fc.asyncProperty(lengths, fc.integer({ min: 1, max: 100_000 }), fc.nat(), async (parts, most, seed) => {
      const random = createRandom(seed);
      const bytes = Uint8Array.from({ length: parts.reduce((sum, part) => sum + part, 0) }, random);
      const source = buffered(piecewise(Buffer.from(bytes), random, { most, blocking: 0.3 }));
      let from = 0;
      for (const [i, length] of parts.entries()) {
        const part = boundedSource(`part ${i}`, source);
        const begin = new Uint8Array(Math.floor(length / 3));
        expect(await readFully(part, begin)).toBe(begin.length);
        part.endAt(length);
        const rest = new Uint8Array(length + 5);
        expect(await readFully(part, rest)).toBe(length - begin.length);
        const all = Buffer.concat([begin, rest.subarray(0, length - begin.length)]);
        expect(all.equals(bytes.subarray(from, from + length))).toBe(true);
        from += length;
      }
      expect(await readFully(source, new Uint8Array(1))).toBe(0);
    }),
    { numRuns: inLongRuns(30, 8) },
  );
});
