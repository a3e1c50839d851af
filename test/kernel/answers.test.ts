// From bytes to printed lines: the kernel's answers and the lines it copies out, against an oracle that looks up one key at
// a time.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KeySelection } from '../../src/engine/input/key-selection.ts';
import { allFieldKeys, fieldKeys, textSeparator, WHOLE_RECORD } from '../../src/engine/input/record-keys.ts';
import { type LineStyle, WANTED } from '../../src/engine/tasks/line-style.ts';
import { oneFilter, type TestSpec } from '../../src/engine/tasks/task.ts';
import { openTest } from '../../src/engine/tasks/test-keys.ts';
import { filterOf } from '../engine/alone.ts';
import { inLongRuns } from '../long.ts';
import { type BitRules, bitsOfKey, hasAll, payloadOf } from '../reference/bloom-bits.ts';
import { createRandom } from '../reference/random.ts';
import { keysOf, splitRaw, withoutTerminator } from '../reference/records.ts';
import { usedKernel } from './kernels.ts';
import { piecewise } from './pieces.ts';
import { WHOLE } from './scanning.ts';

const COMMA = textSeparator(',');

const MEMBERS = ['', 'a', 'beta', 'c d', 'x'.repeat(70)].map((key) => new Uint8Array(Buffer.from(key)));
const FOLDED = { hash: 'xxh64', seed: 11n, ignoreCase: true, trim: true } as const;

/** A query of a filter that contains the members. The oracle made its bits. */
function askedOf(rules: BitRules, selection: KeySelection, print: LineStyle | undefined): TestSpec {
  const shape = { ...rules, bits: rules.segments * rules.segmentBits };
  return {
    type: 'test',
    selection,
    ...oneFilter(filterOf(shape, payloadOf(MEMBERS, rules)), rules),
    print,
    lineBuffered: false,
    bySource: false,
    stopAt: undefined,
  };
}

/** The printed output for the files, and the number of matching records. */
async function answered(files: readonly Uint8Array[], spec: TestSpec, blocking = 0) {
  const out: Uint8Array[] = [];
  const sink = { write: (bytes: Uint8Array) => out.push(bytes.slice()) };
  const task = await openTest({ kernel: usedKernel(), threadIndex: 0 }, spec, sink);
  for (const [i, file] of files.entries()) {
    const part = { name: `file ${i}`, first: true, turn: undefined };
    await task.scan(piecewise(file, createRandom(i), { most: 100_000, blocking }), part);
  }
  const { records, positives } = task.finish();
  return { text: Buffer.concat(out).toString('latin1'), records, positives };
}

/** The same result from the oracle, one record at a time. */
function expectedOf(files: readonly Uint8Array[], rules: BitRules, { selection, print: style }: TestSpec) {
  const payload = payloadOf(MEMBERS, rules);
  const terminator = selection.nullTerminated ? '\0' : '\n';
  const known = new Map<string, boolean>();
  const isMember = (key: Uint8Array) => {
    const name = Buffer.from(key).toString('latin1');
    const member = known.get(name) ?? hasAll(payload, bitsOfKey(key, rules));
    known.set(name, member);
    return member;
  };
  const records = files.flatMap((file, i) =>
    splitRaw(file, selection).map((raw, j) => {
      const keys = keysOf(withoutTerminator(raw, selection), selection);
      const match = keys.some(isMember);
      const text = Buffer.from(raw).toString('latin1');
      const lead = `${style?.tag ? (match ? '+' : '-') : ''}${style?.named ? `file ${i}:` : ''}${style?.numbered ? `${j + 1}:` : ''}`;
      return { match, line: `${lead}${text}${text.endsWith(terminator) ? '' : terminator}` };
    }),
  );
  const lines = records.filter(
    ({ match }) => style?.wanted === WANTED.all || (style && match === (style.wanted === WANTED.present)),
  );
  const positives = records.filter(({ match }) => match).length;
  return { text: lines.map(({ line }) => line).join(''), records: records.length, positives };
}

const word = fc.constantFrom('a', 'B', 'BETA', 'c d', 'no', '', ' ', ',', '\t', 'x'.repeat(70), 'y'.repeat(40), '\r');
const line = fc.array(word, { maxLength: 5 }).map((words) => words.join(''));
const file = fc
  .tuple(fc.array(line, { maxLength: 400, size: 'max' }), fc.constantFrom('\n', ''))
  .map(([lines, last]) => new Uint8Array(Buffer.from(lines.join('\n') + last)));
const styles = fc.record({
  wanted: fc.constantFrom(...Object.values(WANTED)),
  tag: fc.boolean(),
  named: fc.boolean(),
  numbered: fc.boolean(),
  json: fc.constant(false),
});
const selections: fc.Arbitrary<KeySelection> = fc.constantFrom(
  WHOLE,
  { nullTerminated: true, keys: WHOLE_RECORD },
  { nullTerminated: false, keys: fieldKeys(2, COMMA) },
  { nullTerminated: false, keys: fieldKeys(1) },
  { nullTerminated: false, keys: allFieldKeys() },
  { nullTerminated: false, keys: allFieldKeys(COMMA) },
);

describe.each(inLongRuns([1, 3], [3]))('a filter of %d segments', (segments) => {
  const rules: BitRules = { ...FOLDED, segments, segmentBits: 512, k: 5 };

  test('answers and prints records unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 2 }), selections, styles, async (files, selection, style) => {
        const spec = askedOf(rules, selection, style);
        expect(await answered(files, spec)).toEqual(expectedOf(files, rules, spec));
      }),
      { numRuns: inLongRuns(200, 8), seed: 77 },
    );
  });

  test('answers about many batches of records, and about records longer than the buffer of the output', async () => {
    const names = Array.from({ length: inLongRuns(60_000, 17_000) }, (_, i) => (i % 3 === 0 ? 'Beta' : `n${i % 500}`));
    const long = `${'z '.repeat(20_000)}${'z'.repeat(300_000)} a`;
    const files = [new Uint8Array(Buffer.from([...names, long, 'a', long, 'b'].join('\n')))];
    for (const selection of [...inLongRuns([WHOLE], []), { ...WHOLE, keys: allFieldKeys() }]) {
      for (const wanted of inLongRuns(Object.values(WANTED), [WANTED.all])) {
        const spec = askedOf(rules, selection, { wanted, tag: true, named: true, numbered: true, json: false });
        const expected = expectedOf(files, rules, spec);
        const found = await answered(files, spec);
        expect(found.positives).toBe(expected.positives);
        expect(found.text === expected.text).toBe(true);
      }
      const counting = askedOf(rules, selection, undefined);
      expect(await answered(files, counting, 0.1)).toEqual(expectedOf(files, rules, counting));
    }
  });
});
