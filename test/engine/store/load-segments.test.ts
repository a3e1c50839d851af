import { expect, test } from 'vitest';
import { locatedFilter } from '../../../src/engine/store/load-segments.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { HEADER, oracleFile, placed } from '../../formats/bloomery/files.ts';
import { openedFile } from '../../formats/bloomery/opened.ts';

test('the fill of a filter is counted if its file does not state it', async () => {
  const kernel = loadKernel();
  const opened = await openedFile(placed(oracleFile(HEADER, ['a', 'b', 'c', 'd', 'e'])), kernel);
  const located = opened.locate(kernel);
  if (located === undefined) throw new Error('it is no regular file');
  const silent = { ...opened, locate: () => ({ ...located, fills: undefined }) };
  const loaded = locatedFilter(kernel, silent, 1, 'query');
  expect(located.fills?.()).toHaveLength(HEADER.segments);
  expect(loaded?.fills()).toEqual(located.fills?.());
  opened.close();
});
