import { describe, expect, test } from 'vitest';
import { cuckooRoom } from '../../src/sizing/cuckoo.ts';
import { quotientRoom } from '../../src/sizing/quotient.ts';
import { roomForCopies } from '../../src/sizing/slots.ts';

describe('the keys to size a filter for that keeps three copies, with 1.6 slots for each', () => {
  test.each([
    ['no copies', 1000, 1000, 1000],
    ['one', 1000, 1001, 1602],
    ['fewer than are kept', 1000, 2500, 4000],
    ['as many as are kept', 1000, 3000, 4800],
    ['more than are kept', 1000, 1_000_000, 4800],
  ])('%s', (_, distinct, keys, room) => {
    expect(roomForCopies(distinct, keys, 3, 1.6)).toBe(room);
  });
});

test('a cuckoo filter keeps three copies, a quotient filter eight', () => {
  expect(cuckooRoom(1000, 1_000_000)).toBe(4800);
  expect(quotientRoom(1000, 1_000_000)).toBe(9600);
});
