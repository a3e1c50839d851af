// What `stats --verify` finds: a table with valid checksums may still state wrong facts about a segment.

import { describe, expect, test } from 'vitest';
import { verifySegments } from '../../../src/engine/store/load-segments.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { HEADER, oracleFile, outcome, placed } from '../../formats/bloomery/files.ts';
import { openedFilter } from '../../formats/bloomery/opened.ts';
import { sealTable } from '../../reference/bloom-file.ts';
import { onesIn } from '../../reference/kinds.ts';

const kernel = loadKernel();
const FILE = oracleFile(HEADER, ['a', 'b', 'c', 'd', 'e']);
const SEGMENT_BYTES = HEADER.segmentBits / 8;
const FILLS = Array.from({ length: HEADER.segments }, (_, i) =>
  onesIn(FILE.subarray(128 + i * SEGMENT_BYTES, 128 + (i + 1) * SEGMENT_BYTES)),
);

async function verified(bytes: Uint8Array): Promise<void> {
  const loaded = await openedFilter(kernel, placed(bytes));
  try {
    await verifySegments(kernel, loaded);
  } finally {
    loaded.close();
  }
}

test('a filter with a correct table is verified', async () => {
  expect(await outcome(verified(FILE))).toBe('accepted');
});

describe('a filter whose table states', () => {
  test.each([0, 1, 2])('one bit too few or too many of segment %d is refused', async (segment) => {
    for (const by of [-1n, 1n]) {
      const lying = FILE.slice();
      sealTable(
        lying,
        FILLS.map((fill, i) => (i === segment ? fill + by : fill)),
      );
      await expect(verified(lying)).rejects.toMatchObject({
        code: 'format',
        // One less than 0, as an unsigned number, is more than any segment can have.
        message: expect.stringMatching(
          new RegExp(
            `the fill of segment ${segment + 1} of 3 differs from its table|impossible fill of segment ${segment + 1}`,
          ),
        ),
      });
    }
  });
});
