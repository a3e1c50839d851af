// `stats --plot` draws the curve of another system's filter only if it runs through the rate of the bits.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadEach } from '../../src/engine/store/load.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/formats', import.meta.url));

const FILES = readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\.(txt|md|answers)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

/** The ratio of predicted rate to rate of the bits, for each filter of a file. The bits tell the number of keys. */
async function ratios(file: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { description, fills, close } of loadEach(loadKernel(), file, { threadCount: 1, use: 'report' })) {
    const { kind, shape } = description;
    const keys = kind.itemsFromFill(fills(), shape).count;
    const predicted = kind.predictedRate?.(keys, shape);
    if (predicted !== undefined && keys > 0) found.push(predicted / kind.rateFromFill(fills(), shape));
    close();
  }
  return found;
}

test('the predicted curve of every filter runs through the rate of its bits', async () => {
  // Some files need a stated format. They are left out, because other files have the same structures.
  const drawn = await Promise.all(FILES.map((file) => ratios(file).catch(() => [])));
  expect(drawn.flat().length).toBeGreaterThan(40);
  for (const [i, found] of drawn.entries())
    for (const ratio of found) expect(Math.abs(ratio - 1), FILES[i]?.slice(FIXTURES.length)).toBeLessThan(0.02);
});
