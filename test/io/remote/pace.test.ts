import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPacemaker } from '../../../src/io/remote/pace.ts';
import { inLongRuns } from '../../long.ts';

test('the pace is that of the quickest answer, and of the bytes per time in which any answer arrives', () => {
  const answer = fc.record({ bytes: fc.nat(2 ** 20), requested: fc.nat(50), delay: fc.nat(900), takes: fc.nat(3000) });
  const property = fc.property(fc.array(answer, { maxLength: 6 }), (drawn) => {
    const pacemaker = createPacemaker();
    let now = 0;
    // Answers are noted in the order of their ends.
    const answers = drawn
      .map(({ bytes, requested, delay, takes }) => {
        now += requested;
        return { bytes, requested: now, answered: now + delay, ended: now + delay + takes };
      })
      .sort((a, b) => a.ended - b.ended);
    for (const { bytes, requested, answered, ended } of answers) pacemaker.note(bytes, requested, answered, ended);
    const { roundTrip, bytesPerSecond } = pacemaker.now();
    const delays = answers.map(({ requested, answered }) => (answered - requested) / 1000);
    expect(roundTrip).toBeCloseTo(delays.length === 0 ? 0.1 : Math.min(...delays), 12);
    const busy = new Set<number>();
    let noted = 0;
    for (const { answered, ended } of answers) {
      for (let moment = Math.max(answered, noted); moment < ended; moment++) busy.add(moment);
      noted = Math.max(noted, ended);
    }
    const all = answers.reduce((sum, { bytes }) => sum + bytes, 0);
    const isKnown = all >= 2 ** 20 && busy.size > 0;
    expect(bytesPerSecond / (isKnown ? (1000 * all) / busy.size : 25e6)).toBeCloseTo(1, 9);
  });
  fc.assert(property, { numRuns: inLongRuns(1000, 100) });
});

test.each([
  [2 ** 20, 1000, 2 ** 20],
  [2 ** 20 - 1, 1000, 25e6],
  [2 ** 20, 0, 25e6],
])('%d bytes in %d milliseconds are %d bytes per second', (bytes, milliseconds, expected) => {
  const pacemaker = createPacemaker();
  pacemaker.note(bytes, 5, 10, 10 + milliseconds);
  expect(pacemaker.now().bytesPerSecond).toBeCloseTo(expected, 6);
});
