// The values of JSON at a path, against JSON.parse, for any texts, also nearly valid ones, in pieces of any size.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { digestOf } from '../reference/digests.ts';
import { keysOf } from '../reference/records.ts';
import { digested, expectedDigested, expectedScan, PLAIN_RULES, SCAN, scanned } from './scanning.ts';
import { anyCharacter } from './texts.ts';

const selectionOf = (...path: string[]) => ({ nullTerminated: false, keys: { type: 'value' as const, path } });

/** Few names, so that an object has the names of the path, also twice. */
const NAMES = ['a', 'b', 'é', 'a.b', '"', ''];
const SPACES = ['', '', '', ' ', '\t', ' \r '];

const space = fc.constantFrom(...SPACES);
const character = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\\ud83d', '\\ude00', '\\ud83d\\ude00', '\\u0061', '\\/', '\\b\\f\\n\\r\\t\\\\\\"'),
  },
);
/** A JSON string, escaped as in JavaScript or with an escape for each code unit. */
const string = fc.tuple(character, fc.boolean()).map(([text, isEscaped]) => {
  if (text.startsWith('\\')) return `"${text}"`;
  if (!isEscaped) return JSON.stringify(text);
  return `"${[...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`;
});
const name = fc.oneof(
  fc.constantFrom(...NAMES).map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u0061"', '"\\u00e9"', '"\\""'),
);
const scalar = fc.oneof(
  string,
  fc.integer().map(String),
  fc.constantFrom('true', 'false', 'null', '0.50', '-7', '1E+2'),
);

const { value } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 5, depthSize: 'small' }, scalar, tie('object'), tie('array'), tie('object')),
  object: fc
    .array(fc.tuple(space, name, space, tie('value'), space), { maxLength: 5 })
    .map((members) => `{${members.map(([a, key, b, held, c]) => `${a}${key}${b}:${held}${c}`).join(',')}}`),
  array: fc.tuple(space, fc.array(tie('value'), { maxLength: 4 })).map(([a, items]) => `[${a}${items.join(`${a},`)}]`),
}));

/** Valid values, and some with one character removed or added. */
const text = fc
  .tuple(value, fc.nat(200), fc.constantFrom('', '', '', 'cut', ...',:]}"0-.e\\x \u0001'))
  .map(([whole, at, change]) => {
    if (change === '') return whole;
    const place = at % (whole.length + 1);
    return change === 'cut'
      ? whole.slice(0, place) + whole.slice(place + 1)
      : whole.slice(0, place) + change + whole.slice(place);
  });
const lines = fc.array(
  text.map((line) => line.replaceAll('\n', ' ')),
  { maxLength: 40, size: 'max' },
);

test('they are the values that JSON.parse finds', async () => {
  const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 });
  const most = fc.constantFrom(1, 7, 64, 2 ** 20);
  await fc.assert(
    fc.asyncProperty(lines, path, most, async (texts, names, size) => {
      const input = [new Uint8Array(Buffer.from(texts.join('\n')))];
      const scan = {
        ...SCAN,
        selection: selectionOf(...names),
        dealing: { most: size, blocking: 0 },
        keyLimit: 64,
        recordLimit: 64,
      };
      const expected = expectedScan(input, scan);
      expect(await scanned(input, scan)).toEqual(expected);
      expect(await digested(input, scan)).toEqual(expectedDigested(input, scan));
    }),
    { numRuns: inLongRuns(400, 35), seed: 20_26 },
  );
});

/** Expects that exactly these keys are found in the texts. */
async function expectKeys(texts: readonly string[], path: readonly string[], keys: readonly (string | undefined)[]) {
  const found = await scanned([Buffer.from(texts.join('\n'))], { ...SCAN, selection: selectionOf(...path) });
  const digest = (key: string) => digestOf(Buffer.from(key), PLAIN_RULES);
  expect(found.map(({ digests }) => digests)).toEqual(keys.map((key) => (key === undefined ? [] : [digest(key)])));
}

test('each short escape is the character that JSON says, and no other letter is one', async () => {
  // RFC 8259, section 7.
  const meanings = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
  const letters = Array.from({ length: 127 - 33 }, (_, i) => String.fromCharCode(33 + i)).filter((one) => one !== 'u');
  const texts = letters.map((letter) => `{"a":"<\\${letter}>"}`);
  const keys = letters.map((letter) => {
    const meaning = (meanings as Readonly<Record<string, string>>)[letter];
    return meaning && `<${meaning}>`;
  });
  expect(keys.filter((key) => key !== undefined)).toHaveLength(8);
  await expectKeys(texts, ['a'], keys);
});

test('numbers and booleans are keys as they are written; null, objects and arrays are not keys', async () => {
  const values = [
    '1.50',
    '1e3',
    '-0',
    '12345678901234567890',
    'true',
    'false',
    'null',
    '{}',
    '[1]',
    '""',
    '01',
    '1.',
    '+1',
    'True',
  ];
  const keys = ['1.50', '1e3', '-0', '12345678901234567890', 'true', 'false', ...Array(3), '', ...Array(4)];
  await expectKeys(
    values.map((held) => `{"a":${held}}`),
    ['a'],
    keys,
  );
});

test('if a name occurs twice, the last member and its members count', async () => {
  await expectKeys(['{"a":1,"a":2}', '{"a":1,"a":null}', '{"a":1,"a":{"a":3}}'], ['a'], ['2', undefined, undefined]);
  const nested = [
    '{"a":{"b":1},"a":{"b":2}}',
    '{"a":{"b":1},"a":{}}',
    '{"a":{"b":1},"a":7}',
    '{"a":{"b":1},"c":{"b":2}}',
  ];
  await expectKeys(nested, ['a', 'b'], ['2', undefined, undefined, '1']);
});

test('escapes write characters of one, two and three bytes', async () => {
  const codes = Array.from({ length: 0xd800 / 37 }, (_, i) => 37 * i).concat(0x7f, 0x80, 0x7ff, 0x800, 0xe000, 0xffff);
  const escaped = (code: number) => `{"a":"\\u${code.toString(16).padStart(4, '0')}"}`;
  await expectKeys(
    codes.map(escaped),
    ['a'],
    codes.map((code) => String.fromCharCode(code)),
  );
});

test('escapes may be after any number of other characters, and before', async () => {
  const keys = Array.from({ length: 70 }, (_, i) => [
    `${'x'.repeat(i)}\n`,
    `"${'y'.repeat(i)}é\t${'z'.repeat(70 - i)}\\`,
  ]).flat();
  await expectKeys(
    keys.map((key) => JSON.stringify({ a: key })),
    ['a'],
    keys,
  );
});

test('half of a surrogate pair is U+FFFD', async () => {
  const escapes = ['\\ud83d', '\\ude00', '\\ud83dx', '\\ude00\\ud83d', '\\ud83d\\ud83d\\ude00', '\\ud83d\\n'];
  const keys = ['\ufffd', '\ufffd', '\ufffdx', '\ufffd\ufffd', '\ufffd\u{1f600}', '\ufffd\n'];
  await expectKeys(
    escapes.map((held) => `{"a":"${held}"}`),
    ['a'],
    keys,
  );
});

test('two escapes are one character only if the first is a high half and the second a low one', async () => {
  const units = [0x20, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000];
  const pairs = units.flatMap((first) => units.map((second) => [first, second]));
  const escapes = pairs.map((pair) => pair.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join(''));
  await expectKeys(
    escapes.map((escaped) => `{"a":"${escaped}"}`),
    ['a'],
    // UTF-8 has no halves: Node writes U+FFFD for each.
    pairs.map((pair) => Buffer.from(String.fromCharCode(...pair)).toString()),
  );
});

test('texts may be deep', async () => {
  const deep = (levels: number) => `{"b":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)},"a":1}`;
  await expectKeys([deep(10_000), deep(10_001)], ['a'], ['1', undefined]);
});

test('a value that is longer than a buffer is decoded', async () => {
  const long = JSON.stringify({ a: '"é\n'.repeat(300_000) });
  const [digest] = keysOf(Buffer.from(long), selectionOf('a')).map((key) => digestOf(key, PLAIN_RULES));
  const [found] = await scanned([Buffer.from(long)], { ...SCAN, selection: selectionOf('a') });
  expect(found?.digests).toEqual([digest]);
});
