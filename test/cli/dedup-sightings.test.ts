// Which sighting of its key a record is: the flags that say so. What is printed of any records is compared in sightings.test.ts.

import { expect, test } from 'vitest';
import { scratch } from './run.ts';

const { bloom } = scratch();
const STDIN = 'a 1\nb 1\na 2\nnone\na 3\nb 2\nnone\nc 1\na 4\n';

const printed = (...flags: string[]) => bloom(['dedup', '-f', '1', '-d', ' ', ...flags], { stdin: STDIN }).stdout;

test.each([[[]], [['-n', '1000']]])('--min-count prints a key from its n-th sighting on, with %j', (size) => {
  expect(printed('--min-count', '2', ...size)).toBe('a 2\na 3\nb 2\nnone\na 4\n');
  expect(printed('--min-count', '3', ...size)).toBe('a 3\na 4\n');
  expect(printed('--min-count', '5', ...size)).toBe('');
  expect(printed('--min-count', '2', ...size)).toBe(printed('--all-repeated', ...size));
});

test('a record without a key is not seen again', () => {
  const { stdout, stderr } = bloom(['dedup', '-f', '2', '--min-count', '2'], { stdin: 'x 1\nnone\nnone\ny 1\n' });
  expect(stdout).toBe('y 1\n');
  expect(stderr).toContain('2 records have no field 2, and none of them was printed\n');
});

test('the summary says how many passed too early', () => {
  const { stderr } = bloom(['dedup', '--min-count', '3', '--summary'], { stdin: 'a\na\na\n' });
  expect(stderr).toBe(
    '3 records: 1 printed, 2 dropped (66.7 %); 0.0 sightings expected to have been taken for later ones\n',
  );
});

test.each([
  [['--min-count', '1'], 'expected a whole number from 2 to 100'],
  [['--min-count', '2', '--repeated'], '--min-count 2 says itself which sightings are printed'],
  [['--min-count', '2', '--all-repeated'], '--min-count 2 says itself which sightings are printed'],
])('%j is refused', (flags, message) => {
  const { stderr, status, stdout } = bloom(['dedup', ...flags]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
});
