// From the text of a record to the bytes that are hashed.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allFieldKeys, fieldKeys, textSeparator } from '../../src/engine/input/record-keys.ts';
import { ENCODINGS, type EncodingName } from '../../src/hashes/encodings.ts';
import { inLongRuns } from '../long.ts';
import { ENCODING_NAMES } from '../reference/encodings.ts';
import { xxh64 } from '../reference/xxh64.ts';
import { expectedScan, PLAIN_RULES, SCAN, type Scan, scanned, WHOLE } from './scanning.ts';
import { anyCharacter } from './texts.ts';

const COMMA = textSeparator(',');

const NAMES = Object.keys(ENCODINGS) as EncodingName[];

test('every encoding has an oracle', () => expect(ENCODING_NAMES.toSorted()).toEqual(NAMES.toSorted()));

function float64be(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString('hex');
}

/** The numbers next to the least and the greatest of each encoding of whole numbers. */
const BEYOND: readonly (readonly [EncodingName, string, undefined])[] = NAMES.flatMap((name) => {
  const [, isUnsigned, bits] = /^(u?)int(\d+)/.exec(name) ?? [];
  if (bits === undefined) return [];
  const values = 2n ** BigInt(bits);
  const least = isUnsigned ? 0n : -values / 2n;
  return [least - 1n, least + values].map((value) => [name, `${value}`, undefined] as const);
});

/** A text and its bytes in hexadecimal; undefined if the text is not a value. */
const VALUES: readonly (readonly [EncodingName, string, string | undefined])[] = [
  ...BEYOND,
  ['int64le', '0', '0000000000000000'],
  ['int64le', '-0', '0000000000000000'],
  ['int64le', '+5', '0500000000000000'],
  ['int64le', '-1', 'ffffffffffffffff'],
  ['int64le', '0001234567890123456789', '1581e97df4102211'],
  ['int64le', '9223372036854775807', 'ffffffffffffff7f'],
  ['int64le', '9223372036854775808', undefined],
  ['int64le', '-9223372036854775808', '0000000000000080'],
  ['int64le', '-9223372036854775809', undefined],
  ['int64le', '18446744073709551616', undefined],
  ['int64le', '18446744073709551621', undefined],
  ['int64le', '100000000000000000005', undefined],
  ['int64le', ' \t42 ', '2a00000000000000'],
  ['int64le', '', undefined],
  ['int64le', '-', undefined],
  ['int64le', '+-1', undefined],
  ['int64le', '- 1', undefined],
  ['int64le', '1 2', undefined],
  ['int64le', '1e5', undefined],
  ['int64le', '5.0', undefined],
  ['int64le', '0x10', undefined],
  ['int64le', '1234567:', undefined],
  ['int64le', '/2345678', undefined],
  ['int64le', '12345678\0', undefined],
  ['domain', ' *.A.b-C.\t', '612e622d63'],
  ['domain', '. *..*.x..', '78'],
  ['domain', '*.', '2a'],
  ['domain', ' . ', undefined],
  ['network', '192.0.2.1', 'c000020120'],
  ['network', ' 10.1.2.3/8\t', '0a00000008'],
  ['network', '0.0.0.0/0', '0000000000'],
  ['network', '255.255.255.255/31', 'fffffffe1f'],
  ['network', '::1', '0000000000000000000000000000000180'],
  ['network', '0:0:0:0:0:0:0:1', '0000000000000000000000000000000180'],
  ['network', '2001:DB8::/32', '20010db800000000000000000000000020'],
  ['network', '::ffff:1.2.3.4', '0102030420'],
  ['network', '::FFFF:102:304', '0102030420'],
  ['network', '::ffff:1.2.3.4/104', '0100000008'],
  ['network', '::ffff:1.2.3.4/95', '00000000000000000000fffe000000005f'],
  ['network', 'fe80::1%eth0', 'fe80000000000000000000000000000180'],
  ['network', 'fe80::1%eth0/64', 'fe80000000000000000000000000000040'],
  ['network', '1::', '0001000000000000000000000000000080'],
  ['network', '::', '0000000000000000000000000000000080'],
  ['network', '1:2:3:4:5:6:7:8', '0001000200030004000500060007000880'],
  ['network', '1:2:3:4:5:6:7::', '0001000200030004000500060007000080'],
  ['network', '1:2:3:4:5:6:1.2.3.4', '0001000200030004000500060102030480'],
  ['network', 'ffff::/65', 'ffff000000000000000000000000000041'],
  ['network', '', undefined],
  ['network', '1.2.3', undefined],
  ['network', '1.2.3.4.5', undefined],
  ['network', '1.2.3.256', undefined],
  ['network', '01.2.3.4', undefined],
  ['network', '1.2.3.4/33', undefined],
  ['network', '1.2.3.4/08', undefined],
  ['network', '1.2.3.4/', undefined],
  ['network', '1.2.3.4/24/24', undefined],
  ['network', '::/129', undefined],
  ['network', ':1:2:3:4:5:6:7', undefined],
  ['network', '1:2:3:4:5:6:7:', undefined],
  ['network', '1::2::3', undefined],
  ['network', ':::', undefined],
  ['network', '1:2:3:4:5:6:7:8:9', undefined],
  ['network', '1:2:3:4:5:6:7:8::', undefined],
  ['network', '1:2:3:4::5:6:7:8', undefined],
  ['network', '12345::', undefined],
  ['network', 'g::', undefined],
  ['network', '::1.2.3', undefined],
  ['network', '1.2.3.4::', undefined],
  ['network', '::1%', undefined],
  ['network', 'fe80::1%a%b', undefined],
  ['network', 'fe80::1%/64', undefined],
  ['network', '1.2.3.4%eth0', undefined],
  ['network', ':', undefined],
  ['network', '1:2', undefined],
  ['network', '::1:', undefined],
  ['network', '1.2.3.4-1.2.3.9', undefined],
  ['network', '1 .2.3.4', undefined],
  ['int64be', '-2', 'fffffffffffffffe'],
  ['int32le', '2147483647', 'ffffff7f'],
  ['int32le', '2147483648', undefined],
  ['int32be', '-2147483648', '80000000'],
  ['int32be', '-2147483649', undefined],
  ['int32-in-64le', '-2', 'feffffffffffffff'],
  ['int32-in-64le', '4294967296', undefined],
  ['int16be', '258', '0102'],
  ['int8', '-128', '80'],
  ['int8', '128', undefined],
  ['uint64le', '18446744073709551615', 'ffffffffffffffff'],
  ['uint64le', '18446744073709551616', undefined],
  ['uint64le', '99999999999999999999', undefined],
  ['uint64le', '-1', undefined],
  ['uint64le', '-0', '0000000000000000'],
  ['uint32-in-64le', '4294967295', 'ffffffff00000000'],
  ['hbase-cell', 'row\tq', '0003726f770071' + '7fffffffffffffff' + 'ff'],
  ['hbase-cell', 'a\tb\t', '0003610962' + '00' + '7fffffffffffffff' + 'ff'],
  ['hbase-cell', '\tq', '00000071' + '7fffffffffffffff' + 'ff'],
  ['hbase-cell', 'row', undefined],
  ['hbase-cell', '', undefined],
  ['hbase-cell', `${'r'.repeat(32_768)}\tq`, undefined],
  ['boolean', 'TRUE', '01'],
  ['boolean', 'False', '00'],
  ['boolean', '1', '01'],
  ['boolean', '0', '00'],
  ['boolean', 'trues', undefined],
  ['boolean', 'fals', undefined],
  ['boolean', 'falsehood', undefined],
  ['boolean', '', undefined],
  ['float64be', '1', '3ff0000000000000'],
  ['float64be', '1e5', '40f86a0000000000'],
  ['float64be', '-0', '8000000000000000'],
  ['float64be', '0e999999', '0000000000000000'],
  ['float64be', '0.1', '3fb999999999999a'],
  ['float64be', '+.5', '3fe0000000000000'],
  ['float64be', '5.', '4014000000000000'],
  ['float64be', '1E+22', '4480f0cf064dd592'],
  ...Array.from({ length: 45 }, (_, i): readonly [EncodingName, string, string] => [
    'float64be',
    `7e${i - 22}`,
    float64be(Number(`7e${i - 22}`)),
  ]),
  ['float64be', '1e23', '44b52d02c7e14af6'],
  ['float64be', '3e-23', '3b422246700e05bd'],
  // Midway between two numbers, slightly above, and numbers that need all their digits (Clinger 1990; Paxson 1991).
  ['float64be', '9007199254740993', '4340000000000000'],
  ['float64be', '9007199254740993.00000000000000000001', '4340000000000001'],
  ['float64be', '1.8254370818746402660437411213933955878019332885742187', '3ffd34fd8378ea83'],
  ['float64be', '4.9e-324', '0000000000000001'],
  ['float64be', '2.4e-324', '0000000000000000'],
  ['float64be', '-1e-400', '8000000000000000'],
  ['float64be', '1.7976931348623157e308', '7fefffffffffffff'],
  ['float64be', '1.7976931348623159e308', undefined],
  ['float64be', '1e400', undefined],
  ['float64be', '1e4294967296', undefined],
  ['float64be', '1e-4294967296', '0000000000000000'],
  ['float64be', 'NaN', '7ff8000000000000'],
  ['float64be', '-nan', '7ff8000000000000'],
  ['float64be', 'Infinity', '7ff0000000000000'],
  ['float64be', '-INF', 'fff0000000000000'],
  ['float64be', 'infinit', undefined],
  ['float64be', 'nano', undefined],
  ['float64be', '', undefined],
  ['float64be', '.', undefined],
  ['float64be', '-', undefined],
  ['float64be', 'e5', undefined],
  ['float64be', '1e', undefined],
  ['float64be', '1e+', undefined],
  ['float64be', '1.2.3', undefined],
  ['float64be', '1 e5', undefined],
  ['float64be', '0x1p3', undefined],
  ['float64be', '1d', undefined],
  ['float64be', '1/2', undefined],
  ['float64be', '12:', undefined],
  ['float32be', '0.1', '3dcccccd'],
  ['float32be', '16777217', '4b800000'],
  ['float32be', '16777219', '4b800002'],
  // A rounding to 64 bits would put these midway between two numbers of 32 bits.
  ['float32be', '1.00000017881393432617187499', '3f800001'],
  ['float32be', '1.00000017881393432617187501', '3f800002'],
  ['float32be', '1.00000017881393432617187500', '3f800002'],
  ['float32be', '1.281438171863556', '3fa4062b'],
  ['float32be', '0.7646775543689728', '3f43c1e9'],
  ['float32be', '3.4028235e38', '7f7fffff'],
  ['float32be', '3.4028235677973366e38', '7f7fffff'],
  ['float32be', '3.4028235677973367e38', undefined],
  ['float32be', '1e39', undefined],
  ['float32be', '1e-45', '00000001'],
  ['float32be', '7.006492321624085e-46', '00000000'],
  ['float32be', '7.006492321624086e-46', '00000001'],
  ['float32be', '-1e-50', '80000000'],
  ['float32be', 'nan', '7fc00000'],
  ['float32-in-64le', '0.1', '000000a09999b93f'],
  ['float32-in-64le-one-zero', '-0', '0000000000000000'],
  ['float64le-one-zero', '-1e-400', '0000000000000000'],
  ['float64le-one-zero', '-0.0', '0000000000000000'],
  ['float64le-one-zero', 'nan', '000000000000f87f'],
  ['date32le', '1970-01-01', '00000000'],
  ['date32le', '1969-12-31', 'ffffffff'],
  ['date32le', '2000-02-29', '082b0000'],
  ['date32le', '1900-02-29', undefined],
  ['date32le', '2024-04-31', undefined],
  ['date32le', '2024-00-10', undefined],
  ['date32le', '2024-13-01', undefined],
  ['date32le', '2024-1-01', undefined],
  ['date32le', '-0001-03-01', '2604f5ff'],
  ['date32le', '0000-02-29', '9305f5ff'],
  ['date32le', '19000', '384a0000'],
  ['date32le', '-2147483648', '00000080'],
  ['date32le', '2147483648', undefined],
  ['date32le', '+5881580-07-11', 'ffffff7f'],
  ['date32le', '5881580-07-12', undefined],
  // The number of days overflows 64 bits.
  ['date32le', '50505469855535080-03-01', undefined],
  ['date32le', '-5877641-06-23', '00000080'],
  ['date32le', '-5877641-06-22', undefined],
  ['date32be-middle', '1970-01-02', '80000001'],
  ['date64le', '1969-12-31', 'ffffffffffffffff'],
  ['timestamp-ms', '1970-01-01T00:00:00Z', '0000000000000000'],
  ['timestamp-ms', '2024-02-29T12:34:56.789Z', '9554dcf48d010000'],
  ['timestamp-ms', '2024-02-29 14:34:56.789+02:00', '9554dcf48d010000'],
  ['timestamp-ms', '2024-02-29t07:04:56,789-0530', '9554dcf48d010000'],
  ['timestamp-ms', '1709210096789', '9554dcf48d010000'],
  ['timestamp-ms', '1969-12-31T23:59:59.999', 'ffffffffffffffff'],
  ['timestamp-ms', '1970-01-02', '005c260500000000'],
  ['timestamp-ms', '1970-01-01T00:01', '60ea000000000000'],
  ['timestamp-ms', '1970-01-01T00:00:00.0010', '0100000000000000'],
  ['timestamp-ms', '1970-01-01T00:00:00.0001', undefined],
  ['timestamp-ms', '1970-01-01T24:00:00', undefined],
  ['timestamp-ms', '1970-01-01T00:60', undefined],
  ['timestamp-ms', '1970-01-01T00:00:60', undefined],
  ['timestamp-ms', '1970-02-30T00:00:00', undefined],
  ['timestamp-ms', '1970-01-01T00', undefined],
  ['timestamp-ms', '1970-01-01T00:00:00.', undefined],
  ['timestamp-ms', '1970-01-01T00:00:00X', undefined],
  ['timestamp-ms', '1970-01-01T00:00:00+05:', undefined],
  ['timestamp-ms', '1970-01-01T00:00:00+05', '8057edfeffffffff'],
  ['timestamp-ms', '1970-01-01T', undefined],
  ['timestamp-ms', '12:00', undefined],
  ['timestamp-ms', '', undefined],
  ['timestamp-us', '1970-01-01T00:00:01.000001Z', '41420f0000000000'],
  ['timestamp-ns', '2262-04-11T23:47:16.854775807Z', 'ffffffffffffff7f'],
  ['timestamp-ns', '2262-04-11T23:47:16.854775808Z', undefined],
  ['timestamp-ns', '1677-09-21T00:12:43.145224192Z', '0000000000000080'],
  ['timestamp-ns', '1677-09-21T00:12:43.145224191Z', undefined],
  ['timestamp-ns', '-9223372036854775808', '0000000000000080'],
  ['timestamp-ns', '9223372036854775808', undefined],
  // From parquet-java's TestInt96 and Impala. Noon of 2000-01-01 is in the middle of Julian day 2,451,545.
  ['timestamp-96', '2000-01-01T12:00:00Z', '0080a7484a27000059682500'],
  ['timestamp-96', '1970-01-01', '00000000000000008c3d2500'],
  ['timestamp-96', '-1', 'ffff4e91944e00008b3d2500'],
  ['timestamp-96', '-4713-11-24', '000000000000000000000000'],
  ['timestamp-96', '-4713-11-23', undefined],
  ['decimal', '12.5', 'e204000000000000'],
  ['decimal', '-0.01', 'ffffffffffffffff'],
  ['decimal', '+.5', '3200000000000000'],
  ['decimal', '7.', 'bc02000000000000'],
  ['decimal', '1.250', '7d00000000000000'],
  ['decimal', '1.251', undefined],
  ['decimal', '92233720368547758.07', 'ffffffffffffff7f'],
  ['decimal', '92233720368547758.08', undefined],
  ['decimal', '-92233720368547758.08', '0000000000000080'],
  ['decimal', '-92233720368547758.09', undefined],
  ['decimal', '00000000000000000000000000000000000000000000001', '6400000000000000'],
  ['decimal', '1000000000000000000000000000000000000000000', undefined],
  ['decimal', '', undefined],
  ['decimal', '.', undefined],
  ['decimal', '-', undefined],
  ['decimal', '1.2.3', undefined],
  ['decimal', '1e3', undefined],
  ['decimal', '1,5', undefined],
  ['decimal-text', '12.50', '31322e35'],
  ['decimal-text', '-0012.0', '2d3132'],
  ['decimal-text', '-0.00', '30'],
  ['decimal-text', '.5', '302e35'],
  ['decimal-text', '-.50', '2d302e35'],
  ['decimal-text', '+100', '313030'],
  ['decimal-text', '000', '30'],
  ['decimal-text', '5.', '35'],
  ['decimal-text', '.', undefined],
  ['decimal-text', '1e3', undefined],
  ['decimal-text', '', undefined],
  ['char', 'abc', '6162632020202020'],
  ['char', 'abc  ', '6162632020202020'],
  ['char', '', '2020202020202020'],
  ['char', ' a', '2061202020202020'],
  ['char', 'éèêëüxyz', 'c3a9c3a8c3aac3abc3bc78797a'],
  ['char', '12345678 ', '3132333435363738'],
  ['char', '123456789', undefined],
  ['hex', '', ''],
  ['hex', '0x', ''],
  ['hex', '00fF', '00ff'],
  ['hex', '0XAB', 'ab'],
  ['hex', 'abc', undefined],
  ['hex', 'ag', undefined],
  ['hex', '0123456789abcdefABCDEF0', undefined],
  ['hex', '0123456789abcdefABCDEF00', '0123456789abcdefabcdef00'],
  ['uuid', '01234567-89ab-CDEF-0123-456789abcdef', '0123456789abcdef0123456789abcdef'],
  ['uuid', '0123456789abcdef0123456789ABCDEF', '0123456789abcdef0123456789abcdef'],
  ['uuid', '01234567-89ab-CDEF-0123456789abcdef', undefined],
  ['uuid', '01234567-89ab-cdef-0123-456789abcdeg', undefined],
  ['uuid', '01234567+89ab-cdef-0123-456789abcdef', undefined],
  ['utf16le', '', ''],
  ['utf16le', ' a', '20006100'],
  ['utf16le', 'é€😀', 'e900ac203dd800de'],
];

/** Bytes that are not UTF-8, or barely are, and the code units of Java's String for them (OpenJDK 17 and 25). */
const DAMAGED: readonly (readonly [string, string])[] = [
  ['80', 'fdff'],
  ['c280', '8000'],
  ['c080', 'fdfffdff'],
  ['c3', 'fdff'],
  ['c341', 'fdff4100'],
  ['e0a080', '0008'],
  ['e08080', 'fdfffdfffdff'],
  ['e09fbf', 'fdfffdfffdff'],
  ['e0a0', 'fdff'],
  ['e0a041', 'fdff4100'],
  ['eda080', 'fdff'],
  ['edbfbf', 'fdff'],
  ['eda0', 'fdff'],
  ['eda041', 'fdff4100'],
  ['f0908080', '00d800dc'],
  ['f08f8080', 'fdfffdfffdfffdff'],
  ['f09080', 'fdff'],
  ['f0904180', 'fdff4100fdff'],
  ['f48fbfbf', 'ffdbffdf'],
  ['f4908080', 'fdfffdfffdfffdff'],
  ['f5808080', 'fdfffdfffdfffdff'],
  ['ff41', 'fdff4100'],
  ['f0', 'fdff'],
  ['e2', 'fdff'],
  ['e282', 'fdff'],
  ['f09f98', 'fdff'],
  ['f09f9841', 'fdff4100'],
  ['eda0bdedb880', 'fdfffdff'],
];

/** The scanner's digests of records that end with newlines. */
const digestsOf = (records: readonly Uint8Array[], encoding: EncodingName) =>
  scanned([new Uint8Array(Buffer.concat(records.flatMap((record) => [record, Buffer.from('\n')])))], {
    ...SCAN,
    rules: { ...PLAIN_RULES, encoding },
  }).then((found) => found.map(({ digests }) => digests));

const digestsOfBytes = (hex: string | undefined) => (hex === undefined ? [] : [xxh64(Buffer.from(hex, 'hex'), 0n)]);

test.each(NAMES)('%s: valid and invalid values', async (name) => {
  const values = VALUES.filter(([encoding]) => encoding === name);
  const found = await digestsOf(
    values.map(([, text]) => Buffer.from(text)),
    name,
  );
  for (const [i, [, text, bytes]] of values.entries()) expect(found[i], text).toEqual(digestsOfBytes(bytes));
});

test('the first and last days of the months of some years are dates, and those around are not', async () => {
  const two = (number: number) => String(number).padStart(2, '0');
  const years = ['1900', '2000', '2023', '2024', '-0001', '-0100'];
  const ends = [0, 1, 28, 29, 30, 31, 32];
  const days = years.flatMap((year) =>
    Array.from({ length: 14 }, (_, month) => ends.map((day) => `${year}-${two(month)}-${two(day)}\n`)).flat(),
  );
  const scan = { ...SCAN, rules: { ...PLAIN_RULES, encoding: 'date32le' } } as const;
  const bytes = new Uint8Array(Buffer.from(days.join('')));
  expect(await scanned([bytes], scan)).toEqual(expectedScan([bytes], scan));
});

test('invalid UTF-8 becomes the same characters as in Java', async () => {
  const found = await digestsOf(
    DAMAGED.map(([bytes]) => Buffer.from(bytes, 'hex')),
    'utf16le',
  );
  for (const [i, [bytes, units]] of DAMAGED.entries()) expect(found[i], bytes).toEqual(digestsOfBytes(units));
});

const digits = fc.stringMatching(/^[0-9]{0,22}$/);
const wholeNumber = fc.oneof(
  fc.tuple(fc.constantFrom('', '-', '+', '--'), digits).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom(7, 8, 15, 16, 31, 32, 63, 64), fc.integer({ min: -2, max: 2 }), fc.boolean())
    .map(([bits, more, isNegative]) => String((2n ** BigInt(bits) + BigInt(more)) * (isNegative ? -1n : 1n))),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 65n }).map(String),
);
const date = fc.oneof(
  fc
    .date({ min: new Date(-8.6e15), max: new Date(8.6e15), noInvalidDate: true })
    .map((day) => day.toISOString().replace(/T.*/, '')),
  fc.stringMatching(/^-?[0-9]{3,5}-[01][0-9]-[0-3][0-9]$/),
);
const decimal = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      digits,
      fc.constantFrom('', '.'),
      digits,
      fc.constantFrom('', 'e', 'E-', 'e+'),
      fc.oneof(fc.nat(340), fc.constant('')),
    )
    .map((parts) => parts.join('')),
  fc.double().map(String),
  fc.float().map(String),
  // Numbers midway between two numbers of 32 bits, or slightly above.
  fc
    .tuple(fc.float({ min: 2 ** -100, max: 2 ** 100, noNaN: true }), fc.constantFrom('', '1', '000001'))
    .map(([single, more]) => (single * (1 + 2 ** -24)).toFixed(60).replace(/0*$/, '') + more),
);
const hex = fc.stringMatching(/^(0[xX])?([0-9a-fA-F]{2}){0,40}[0-9a-gA-G]?$/);
const uuid = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.replaceAll('-', '').toUpperCase()),
);
const timestamp = fc
  .tuple(
    fc.oneof(date, fc.constantFrom('1677-09-21', '2262-04-11', '2024-02-29')),
    fc.constantFrom('T', ' ', 't', ''),
    fc.stringMatching(/^([0-2][0-9]:[0-6][0-9](:[0-6][0-9]([.,][0-9]{1,11})?)?)?$/),
    fc.oneof(fc.constantFrom('', 'Z', 'z'), fc.stringMatching(/^[+-][0-2][0-9](:?[0-6][0-9])?:?$/)),
  )
  .map((parts) => parts.join(''));
const other = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom('true', 'False', '0', '1', ''),
);

const value = fc
  .oneof(
    fc
      .tuple(
        fc.constantFrom('', ' ', '\t'),
        fc.oneof(wholeNumber, decimal, date, timestamp, hex, uuid, other),
        fc.constantFrom('', ' '),
      )
      .map((parts) => Buffer.from(parts.join(''))),
    fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes)),
    fc
      .array(fc.constantFrom(0x41, 0x80, 0x8f, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xe1, 0xed, 0xf0, 0xf1, 0xf4, 0xf5), {
        maxLength: 40,
      })
      .map((bytes) => Buffer.from(bytes)),
  )
  .map((bytes) => new Uint8Array(bytes));

const selection = fc.constantFrom(
  WHOLE,
  { ...WHOLE, keys: fieldKeys(2, COMMA) },
  { ...WHOLE, keys: allFieldKeys(COMMA) },
);

const scan: fc.Arbitrary<Scan> = fc.record({
  selection,
  rules: fc.constantFrom(...NAMES).map((encoding) => ({ ...PLAIN_RULES, encoding })),
  keyLimit: fc.constantFrom(64, 2 ** 14),
  recordLimit: fc.constantFrom(64, 2 ** 14),
  dealing: fc.record({ most: fc.constantFrom(7, 200, 2 ** 20), blocking: fc.constantFrom(0, 0.2) }),
  seed: fc.nat(),
});

test('keys have the bytes of the oracle, and their records', async () => {
  const separator = fc.constantFrom('\n', '\n', ',', '\r\n').map((text) => new Uint8Array(Buffer.from(text)));
  const input = fc
    .array(fc.tuple(value, separator), { maxLength: 200, size: 'max' })
    .map((parts) => new Uint8Array(Buffer.concat(parts.flat())));
  await fc.assert(
    fc.asyncProperty(input, scan, async (bytes, scan) => {
      expect(await scanned([bytes], scan)).toEqual(expectedScan([bytes], scan));
    }),
    { numRuns: inLongRuns(1000, 70), seed: 20_26 },
  );
});
