// Addresses in any surroundings, as filters of networks find them in the words of records.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inLongRuns } from '../long.ts';
import { digested, expectedDigested, expectedScan, PLAIN_RULES, SCAN, scanned } from './scanning.ts';

const SCANNED = {
  ...SCAN,
  selection: { nullTerminated: false, keys: { type: 'words' as const } },
  rules: { ...PLAIN_RULES, encoding: 'network' as const, trim: true },
};

const group = fc.oneof(
  fc.constantFrom('', '0', '1', 'f', 'db8', 'FFFF', '12345', 'g', 'x1'),
  fc.nat(0xffff).map((number) => number.toString(16)),
);
const groups = fc.array(group, { maxLength: 10 }).map((all) => all.join(':'));
const number = fc.oneof(
  fc.nat(300).map((some) => `${some}`),
  fc.constantFrom('', '00', '01', '1000'),
);
const numbers = fc.array(number, { minLength: 3, maxLength: 6 }).map((all) => all.join('.'));
const address = fc.constantFrom(
  '1.2.3.4',
  '192.168.100.200',
  '2001:db8::1',
  '::1',
  '::',
  'fe80::1%eth0',
  '1:2:3:4:5:6:7:8',
  '1:2:3:4:5:6:7::',
  '::ffff:1.2.3.4',
  '1:2:3:4:5:6:1.2.3.4',
  '2001:db8:1111:2222:3333:4444:5555:6666',
);
const beside = fc.constantFrom(
  ...' .:-_,[](){}<>"\'=/%@agGzZ09',
  '::',
  '..',
  ': ',
  'addr:',
  '“',
  'é',
  '\u00a0',
  '\n',
  '\n',
);
const long = fc.nat(140).map((length) => ' '.repeat(length));
const piece = fc.oneof(
  { weight: 3, arbitrary: address },
  { weight: 2, arbitrary: groups },
  { weight: 2, arbitrary: numbers },
  { weight: 6, arbitrary: beside },
  { weight: 1, arbitrary: long },
);
const input = fc
  .array(piece, { maxLength: 120, size: 'max' })
  .map((pieces) => new Uint8Array(Buffer.from(pieces.join(''))));

async function expectNetworks(bytes: Uint8Array, scan: Partial<typeof SCANNED>) {
  const whole = { ...SCANNED, ...scan };
  expect(await scanned([bytes], whole)).toEqual(expectedScan([bytes], whole));
  expect(await digested([bytes], whole)).toEqual(expectedDigested([bytes], whole));
}

test('the networks of records are those of their words, and their IPv6 addresses', async () => {
  const keyLimit = fc.constantFrom(64, 65, 2 ** 14);
  await fc.assert(
    fc.asyncProperty(input, keyLimit, fc.constantFrom(7, 64, 2 ** 20), async (bytes, limit, most) => {
      await expectNetworks(bytes, { keyLimit: limit, dealing: { most, blocking: 0 } });
    }),
    { numRuns: inLongRuns(800, 80), seed: 4632 },
  );
});

test('a few IPv4 addresses in a record, between any bytes', async () => {
  const byte = fc.nat(255).filter((some) => some !== 10);
  const bytes = fc.array(byte, { maxLength: 2 }).map((some) => Buffer.from(some));
  const text = fc
    .oneof(address, numbers, fc.constantFrom('1.2.3', '10.20.30.40.50', '12:30', ':', '-', ''))
    .map(Buffer.from);
  const blanks = long.map(Buffer.from);
  const near = fc.tuple(fc.oneof({ weight: 4, arbitrary: bytes }, { weight: 1, arbitrary: blanks }), text);
  const record = fc.array(near, { minLength: 1, maxLength: 4 }).map((pieces) => Buffer.concat(pieces.flat()));
  const records = fc.array(fc.tuple(record, bytes), { minLength: 20, maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(records, async (some) => {
      const lines = some.flatMap(([line, after]) => [line, after, Buffer.from('\n')]);
      await expectNetworks(new Uint8Array(Buffer.concat(lines)), {});
    }),
    { numRuns: inLongRuns(600, 40), seed: 791 },
  );
});

test('an address beside each byte', async () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte)).filter(([byte]) => byte !== 10);
  const lines = bytes.flatMap((byte) => ['1.2.3.4', byte, '5.6.7.8\n', byte, '1.2.3.4\n', '5.6.7.8', byte, '\n']);
  await expectNetworks(new Uint8Array(Buffer.concat(lines.map((some) => Buffer.from(some)))), {});
});

test('a record with more addresses than a batch has keys', async () => {
  const addresses = Array.from({ length: 17_000 }, (_, i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  await expectNetworks(new Uint8Array(Buffer.from(`a\n1.1.1.1\n${addresses.join(' ')}\n2.2.2.2\n`)), {});
});
