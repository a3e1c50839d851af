// The end of the last record in a piece, for any pieces. A parser that reads one character at a time is the oracle for CSV.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEndFinder } from '../../../src/engine/input/record-ends.ts';
import { inLongRuns } from '../../long.ts';
import { splitCsv } from '../../reference/csv.ts';

const quotes = ['"', '"', '""', '",', ',"', '\n"'];
const others = ['a', 'a', 'bc', ',', ';', '\n', '\n', '\r\n', 'a;bc', '\na,'];
const text = fc.array(fc.oneof(fc.constantFrom(...quotes, ...others), fc.constantFrom(...others)), { maxLength: 60 });
const delimiter = fc.constantFrom(',', ';');
const comments = fc.uniqueArray(fc.constantFrom('a', 'bca', ',', 'a;bc'), { maxLength: 2 });

/** The ends that are found in pieces of some lengths, as positions in all bytes. */
function endsIn(bytes: Uint8Array, lengths: readonly number[], ends: Parameters<typeof createEndFinder>[0]): number[] {
  const find = createEndFinder(ends);
  let from = 0;
  return [...lengths, bytes.length].map((length) => {
    const found = find(bytes.subarray(from, from + length));
    const end = found === 0 ? 0 : from + found;
    from = Math.min(from + length, bytes.length);
    return end;
  });
}

/** The last end in each piece. */
function lastOf(all: readonly number[], bytes: Uint8Array, lengths: readonly number[]): number[] {
  let from = 0;
  return [...lengths, bytes.length].map((length) => {
    const to = Math.min(from + length, bytes.length);
    const last = all.findLast((end) => end > from && end <= to) ?? 0;
    from = to;
    return last;
  });
}

const lengths = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 });

test('of CSV it is at a newline that is not in quotes, or ends a comment', () => {
  fc.assert(
    fc.property(text, delimiter, comments, lengths, (parts, between, prefixes, pieces) => {
      // At the end of the text the last record ends, even with open quotes.
      const whole = Buffer.from(parts.join(''));
      const ends: number[] = [];
      for (const record of splitCsv(whole, between, prefixes)) ends.push((ends.at(-1) ?? 0) + record.length);
      const closed =
        splitCsv(Buffer.concat([whole, Buffer.from('x')]), between, prefixes).length > ends.length
          ? ends
          : ends.slice(0, -1);
      const found = endsIn(whole, pieces, {
        csvDelimiter: between.charCodeAt(0),
        comments: prefixes.map((prefix) => Buffer.from(prefix)),
      });
      expect(found).toEqual(lastOf(closed, whole, pieces));
    }),
    { numRuns: inLongRuns(10_000, 600), seed: 20_26 },
  );
});

test('of digests it is after each eighth byte, of lines after each newline', () => {
  fc.assert(
    fc.property(text, lengths, (parts, pieces) => {
      const whole = Buffer.from(parts.join(''));
      const eighths = [...whole.keys()].map((i) => i + 1).filter((end) => end % 8 === 0);
      expect(endsIn(whole, pieces, { length: 8 })).toEqual(lastOf(eighths, whole, pieces));
      const newlines = [...whole].flatMap((byte, i) => (byte === 10 ? [i + 1] : []));
      expect(endsIn(whole, pieces, { terminator: 10 })).toEqual(lastOf(newlines, whole, pieces));
    }),
  );
});
