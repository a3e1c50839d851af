// Files of RedisBloom that are malformed, or that look like another format.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import { makingNamed } from '../../src/formats/makings.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import { fromLzf } from '../../src/formats/redisbloom/values.ts';
import { formatOf, likelyFormat } from '../../src/formats/registry.ts';
import { withPipes } from '../engine/threads/worker-pools.ts';
import { crc64 } from '../reference/formats/redis-dump.ts';
import { redisbloom, reserveRaw } from '../reference/formats/redisbloom.ts';
import { withLoaded } from './asking.ts';
import { placed } from './bloomery/files.ts';
import { added, fileOf, made } from './making.ts';

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/formats/redisbloom/${name}`, import.meta.url)));
const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string) => Buffer.from(text, 'latin1');

/** The message for a rejected file. */
async function refusal(bytes: Uint8Array): Promise<string> {
  try {
    (await openFilterFile(placed(bytes), 'query')).close();
  } catch (error) {
    if (error instanceof BloomError && error.code === 'format') return error.message;
    throw error;
  }
  return 'none';
}

/** A command that loads a chunk of a filter. Its strings can be longer than their stated lengths. */
function load(
  iterator: number,
  data: string,
  { name = 'key', command = 'BF.LOADCHUNK', length = data.length } = {},
): string {
  const strings = [command, name, String(iterator)].map((text) => `$${text.length}\r\n${text}\r\n`);
  return `*4\r\n${strings.join('')}$${length}\r\n${data}\r\n`;
}

/** A dump from hexadecimal, with its checksum. */
function sealed(hex: string): Buffer {
  const payload = Buffer.from(hex, 'hex');
  const sum = Buffer.alloc(8);
  sum.writeBigUInt64LE(crc64(payload));
  return Buffer.concat([payload, sum]);
}

describe('commands', () => {
  // rewriteAppendOnlyFileRio in aof.c of Redis selects each database before its keys.
  const selecting = (database: number) => `*2\r\n$6\r\nSELECT\r\n$1\r\n${database}\r\n`;
  const [SELECT, SELECT_1] = [selecting(0), selecting(1)];
  const raw = latin(fixture('plain.bits'));
  const [header, bits] = [raw.slice(0, 73), raw.slice(73)];
  const whole = load(1, header) + load(281, bits);

  test.each([
    ['of another key in between', load(1, header) + load(281, bits, { name: 'other' }), 'has several filters'],
    ['of another filter behind', whole + load(1, header, { name: 'other' }), 'has several filters'],
    [
      'of the key of another database in between',
      `${SELECT}${load(1, header)}${SELECT_1}${load(281, bits)}`,
      'several',
    ],
    ['of the key of another database behind', `${SELECT}${whole}${SELECT_1}${load(1, header)}`, 'has several filters'],
    ['of a database without a number', `*2\r\n$6\r\nSELECT\r\n$1\r\nx\r\n${whole}`, 'a database without a number'],
    ['of a database and nothing else', SELECT, 'has no filter of RedisBloom'],
    [
      'of a database and other commands',
      `${SELECT}*1\r\n$4\r\nPING\r\n`,
      'commands that do not load a filter, such as PING',
    ],
    ['of a database and a short command', `${SELECT}*2\r\n$3\r\nGET\r\n$1\r\na\r\n`, 'such as GET'],
    ['of a database and something else', `${SELECT}something else`, 'is damaged: it has content other than commands'],
    ['of the same filter behind', whole + whole, 'it has more bytes after its end'],
    ['of something else behind', `${whole}*1\r\n$4\r\nPING\r\n`, 'do not load a filter, such as PING'],
    ['of another place in the bits', load(1, header) + load(282, bits), 'are out of order after 0 bytes of its bits'],
    ['with more bits than the array has', load(1, header) + load(282, `${bits}x`), 'are out of order'],
    ['with fewer bits', load(1, header) + load(101, bits.slice(0, 100)), 'ends within its bits'],
    ['with no bits', load(1, header) + load(1, ''), 'are out of order'],
    [
      'with strings that are longer than they say',
      load(1, `${header}x`, { length: 73 }),
      'one of its commands has a wrong length',
    ],
    ['without a header', load(2, header), 'its first command has no header'],
    ['with a header that is too short', load(1, header.slice(1)), 'the length of its header does not fit its links'],
    ['with a header that is longer than any', load(1, header, { length: 1e12 }), 'its first command has no header'],
    ['with a name that is longer than any', whole.replaceAll('$3\r\nkey', '$99999999\r\nkey'), 'has no name'],
    ['without a length', whole.replace('$3\r\nkey', '$-3\r\nkey'), 'does not state the length of a string'],
    ['with a length that does not end', whole.replace('$3', `$${'1'.repeat(90)}`), 'does not state the length'],
  ])('%s are refused', async (_, text, message) => {
    expect(await refusal(bytesOf(text))).toContain(message);
  });

  test('of an append-only file are read, and keep the selection of their database', async () => {
    const file = placed(bytesOf(`${SELECT}${load(1, header)}${SELECT}${load(281, bits)}`));
    const fills = (name: string) => withLoaded(name, 1, ({ fills }) => fills());
    expect(await fills(file)).toEqual(await fills(placed(bytesOf(whole), 'whole')));
    const more = latin(await added(file, {}, [fileOf([bytesOf('one more')])]));
    expect(more.slice(0, SELECT.length + 30)).toBe(`${SELECT}${load(1, header).slice(0, 30)}`);
  });

  test('in lower case, and with bits in many pieces, are read', async () => {
    const ends = [1, 8, 108, 280];
    const pieces = ends.map((end, i) => load(1 + end, bits.slice(ends[i - 1] ?? 0, end), { command: 'bf.loadchunk' }));
    const fills = (text: string) => withLoaded(placed(bytesOf(text)), 1, ({ fills }) => fills());
    expect(await fills(load(1, header) + pieces.join(''))).toEqual(await fills(whole));
  });
});

describe('the output of DUMP', () => {
  const dump = fixture('plain.dump');

  test('is read with the line end of redis-cli, and verified', async () => {
    expect(await refusal(dump)).toBe('none');
    const verify = await withLoaded(placed(Buffer.concat([dump, bytesOf('\n')])), 1, (loaded) => loaded.verify);
    await expect(verify?.({})).resolves.toBeUndefined();
    expect(await refusal(Buffer.concat([dump, bytesOf('\n\n')]))).toContain('its checksum does not match');
  });

  test('is refused with any byte changed', async () => {
    for (let at = 0; at < dump.length; at++) {
      const spoilt = Buffer.from(dump);
      spoilt[at] = (spoilt[at] ?? 0) ^ (1 << (at % 8));
      expect(await refusal(spoilt), `byte ${at}`).not.toBe('none');
    }
  });

  // In hexadecimal: the id, 200 keys and 1 array. The array has 280 bytes of bits (0x4118) and 200 keys. The end and two bytes
  // follow.
  test.each([
    ['another version', /^(.{18})04/, '$105', 'its version 5 is unknown'],
    ['no array', /^(.{20}0240c8)0201.*(00.{4})$/, '$1020002050202$2', 'it has no array of bits'],
    ['fewer values', /0240c8(00.{4})$/, '$1', 'its values do not describe a filter'],
    ['more values', /(00.{4})$/, '0201$1', 'its values do not describe a filter'],
    ['values behind the end', /(00)(.{4})$/, '$10201$2', 'it has more values after those of a filter'],
    ['a string that is longer than the file', '054118', '05817fffffffffffffff', 'ends within its values'],
    ['a string that is compressed to nothing', '054118', '05c301807fffffff', 'impossibly long'],
    ['a string that cannot be decompressed', '054118', '05c341184118', 'cannot be decompressed'],
    ['a string that is a number', /054118.{560}/, '05c07b', 'impossible array of bits'],
    ['a string without a length', '054118', '05c4', 'has no length'],
    [
      'more arrays than there are',
      /^(.{20}0240c8)0201/,
      '$10281ffffffffffffffff',
      'its values do not describe a filter',
    ],
  ])('with %s is refused', async (_, from, to, message) => {
    expect(await refusal(changed(from, to))).toContain(message);
  });

  /** The dump with changed hexadecimal and a correct checksum. */
  function changed(from: string | RegExp, to: string): Buffer {
    const before = dump.subarray(0, -8).toString('hex');
    const after = before.replace(from, to);
    expect(after).not.toBe(before);
    return sealed(after);
  }

  // BFRdbLoad in rebloom.c: version 0 states neither options nor growth, bits or their log2.
  const OLDEST = /^(.{18})04(0240c8)(0201)02050202(0240c804.{16}0208)(04.{16})0248c00200(05)4118(.{552}).{8}/;

  test('of version 0 states no bits: they are capacity times bits per key', async () => {
    await withLoaded(placed(changed(OLDEST, '$100$2$3$4$5$64114$7')), 1, ({ description }) => {
      expect(description.shape).toMatchObject({ bits: Math.trunc(200 * (Math.log(200) / 0.480453013918201)), k: 8 });
      expect(description.rules.hash).toBe('murmur2');
    });
  });

  // Version 1 states bits, version 2 the options too, and version 4 the growth.
  test.each([
    [1, '$101$2$3', 'murmur2'],
    [2, '$102$2$30205', 'murmur64a'],
    [3, '$103$2$30205', 'murmur64a'],
  ])('of version %d is read', async (_, to, hash) => {
    await withLoaded(placed(changed(/^(.{18})04(0240c8)(0201)02050202/, to)), 1, ({ description }) => {
      expect(description).toMatchObject({ inserted: 200, shape: { bits: 2240, k: 8 } });
      expect(description.rules.hash).toBe(hash);
    });
  });

  test.each([
    ['no number', '04000000000000f87f'],
    ['infinite', '04000000000000f07f'],
    ['negative', '04e9862fb2350e26c0'],
  ])('of version 0 is refused if its bits per key are %s', async (_, bitsPerKey) => {
    expect(await refusal(changed(OLDEST, `$100$2$3$4${bitsPerKey}$64114$7`))).toContain('has no bits');
  });
});

describe('the output of DUMP for a cuckoo filter', () => {
  const folder = '../../fixtures/formats/redisbloom-cuckoo/';
  const dump = readFileSync(fileURLToPath(new URL(`${folder}dumped.dump`, import.meta.url)));

  test('is verified, and states its number of keys', async () => {
    await withLoaded(placed(Buffer.concat([dump, bytesOf('\n')])), 1, async ({ description, verify }) => {
      expect(description).toMatchObject({ inserted: 200, format: { name: 'redisbloom-cuckoo' } });
      await expect(verify?.({})).resolves.toBeUndefined();
    });
  });

  test('is refused with any byte changed', async () => {
    for (let at = 0; at < dump.length; at += 5) {
      const spoilt = Buffer.from(dump);
      spoilt[at] = (spoilt[at] ?? 0) ^ (1 << (at % 8));
      expect(await refusal(spoilt), `byte ${at}`).not.toBe('none');
    }
  });

  // In hexadecimal, after the id: 2 arrays, 64 buckets, 200 items, none removed, 2 slots, 20 iterations, a growth factor of 2.
  const FIELDS = /^(.{18}04)(0202)(024040)(0240c8)(0200)(0202)(0214)(0202)(024040)/;
  test.each([
    [
      'another version',
      '$1',
      (hex: string) => hex.replace(/^(.{18})04/, '$103'),
      'version 3, and bloom reads only version 4',
    ],
    ['no array', '$10200$3$4$5$6$7$8', undefined, 'it states 0 arrays'],
    ['2^64 - 1 arrays', `$10281${'ff'.repeat(8)}$3$4$5$6$7$8`, undefined, 'it states 18446744073709551615 arrays'],
    ['no slots', '$10201$3$4$50200$7$8$9', undefined, 'it states 1 array and 0 slots per bucket'],
    ['more slots', '$1$2$3$4$50203$7$8$9', undefined, 'does not fit its buckets'],
    ['more buckets', '$1$2$3$4$5$6$7$8024041', undefined, 'does not fit its buckets'],
    ['no buckets', '$1$2$3$4$5$6$7$80200', undefined, 'does not fit its buckets'],
  ])('with %s is refused', async (_, to, change, message) => {
    const before = dump.subarray(0, -8).toString('hex');
    expect(before).toMatch(FIELDS);
    expect(await refusal(sealed(change?.(before) ?? before.replace(FIELDS, to)))).toContain(message);
  });
});

test.each([
  ['literals', '02616263', 3, '616263'],
  ['bytes that came before', '02616263 2002', 6, '616263 616263'],
  ['what is copied while it is made', '0061 e003 00', 13, '61'.repeat(13)],
  ['nothing', '', 0, ''],
  ['too few literals', '0261', 3, undefined],
  ['a distance before the beginning', '0061 2001', 4, undefined],
  ['no distance', '0061 20', 4, undefined],
  ['more bytes than it should', '02616263', 2, undefined],
  ['more copies than it should', '0061 e0ff00', 9, undefined],
  ['fewer bytes than it should', '02616263', 4, undefined],
])('LZF with %s', (_, packed, length, expected) => {
  const made = fromLzf(Buffer.from(packed.replaceAll(' ', ''), 'hex'), length);
  expect(made && Buffer.from(made).toString('hex')).toBe(expected?.replaceAll(' ', ''));
});

test.each([1, 3, 300])('a filter grows by the stated factor of %d', async (growth) => {
  const { making } = makingNamed('redisbloom-raw') ?? {};
  const plan = making?.sizing.plan({ items: 50, fpr: 0.02, growth });
  if (making === undefined || plan === undefined) throw new Error('it is not made');
  const keys = Array.from({ length: 200 }, (_, i) => bytesOf(`${i} of them`));
  const expected = reserveRaw(50, 0.02, growth);
  for (const key of keys) expected.add(key);
  const file = await made(await making.blueprint(plan, 0n), [fileOf(keys)]);
  expect(Buffer.from(file).equals(expected.encode())).toBe(true);
});

test('a filter whose bits are powers of two grows by such arrays', async () => {
  const file = fixture('legacy32.resp');
  const keys = Array.from({ length: 2000 }, (_, i) => bytesOf(`${i} of them`));
  const expected = redisbloom.decode(file);
  for (const key of keys) expected.add(key);
  const grown = redisbloom.decode(await added(placed(file), {}, [fileOf(keys)]));
  expect(Buffer.from(grown.encode()).equals(expected.encode())).toBe(true);
});

test.each([0, 1.5, 32_769])('a filter with a growth of %d is refused', (growth) => {
  const plan = () => makingNamed('redisbloom')?.making.sizing.plan({ items: 50, fpr: 0.02, growth });
  expect(plan).toThrow(expect.objectContaining({ code: 'usage' }));
});

test('a header of one key, or of two, is not that of DCSO bloom or poppy, whose files begin so', () => {
  for (const items of [1, 2]) {
    const bytes = fixture('plain.bits');
    bytes.writeBigUInt64LE(BigInt(items));
    expect(formatOf(bytes, bytes.length)?.system).toBe('RedisBloom');
    expect(likelyFormat(bytes, undefined)?.system).toBe('RedisBloom');
  }
});

// The expected values are from the server's BF.INFO and BF.DEBUG.
test.each([
  ['plain', { capacity: 200, targetFpr: 0.01 }, 200, 2240],
  ['scaled', { capacity: 210, targetFpr: 0.1 }, 181, 1856],
  ['legacy32', { capacity: 213, targetFpr: 0.1 }, 196, 1024],
])('%s: what it was sized for, how many keys were new, and its bits', async (name, target, inserted, bits) => {
  const file = fixture(`${name}.resp`);
  await withLoaded(placed(file), 1, ({ description }) => {
    expect(description).toMatchObject({ target, inserted, bytes: file.length });
    expect(description.shape.bits).toBe(bits);
  });
});

test('bytes that positions do not reach are skipped, in a pipe too', async () => {
  const filter = redisbloom.vessels['bits that positions do not reach']?.().filter;
  filter?.add(bytesOf('key'));
  const bytes = filter?.encode() ?? new Uint8Array();
  const counted = (file: string) => withLoaded(file, 1, ({ fills }) => fills());
  const fills = await counted(placed(bytes));
  expect(fills).toMatchObject([{ ones: 0 }, { ones: 7 }]);
  expect(await withPipes([placed(bytes)], ([pipe = '']) => counted(pipe))).toEqual(fills);
});
