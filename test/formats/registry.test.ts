import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatOf } from '../../src/formats/registry.ts';

/** A file that begins with bytes in hexadecimal, and is NUL from there on. */
function file(hex: string, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(Buffer.from(hex, 'hex'));
  return bytes;
}

describe('filters that can be recognised', () => {
  // The layouts are from the sources of these systems.
  test.each([
    ['Guava', '0107 00000003', 6 + 24],
    ['Guava', '0007 00000003', 6 + 24],
    ['Spark', '00000001 00000007 00000003', 12 + 24],
    ['Spark', '00000002 00000007 00000000 00000003', 16 + 24],
    ['Cassandra', '00000005 00000003', 8 + 24],
    ['bits-and-blooms', '0000000000000041 0000000000000007 0000000000000041', 24 + 16],
    ['DCSO bloom', '0100000000000000 e803000000000000', 64],
    ['bits-and-blooms', '097f050102ff82000000', 64],
    ['bits-and-blooms', '0aff85050102ff88000000', 64],
    ['poppy', '0201000000000000', 64],
    ['RedisBloom', '07813016e5a289be f804', 64],
    ['Apache DataSketches', '040115', 64],
    ['FilterPassword', '87d6120000000000', 64],
    ['Valkey', Buffer.from('*3\r\n$7\r\nBF.LOAD\r\n$1\r\nk\r\n').toString('hex'), 64],
    ['Valkey', '07816e5a2899f96dac01', 64],
    ['DCSO bloom 0.1', 'e8030000 7b14ae47e17a843f 07000000 81250000 c8000000', 24 + 8 * 151],
    ['Java', 'aced0005', 64],
  ])('%s: %s', (name, hex, size) => {
    const bytes = file(hex.replaceAll(' ', ''), size);
    expect(formatOf(bytes, size)?.system).toBe(name);
    // A pipe has no length. Formats that only the length tells are read as records there.
    const isMeasured =
      ['DCSO bloom 0.1', 'Guava', 'Spark', 'Cassandra'].includes(name) || hex.startsWith('0000000000000041');
    expect(formatOf(bytes, undefined)?.system).toBe(isMeasured ? undefined : name);
    expect(formatOf(bytes, size + 1)?.system).toBe(isMeasured ? undefined : name);
  });

  test('bloomery’s own', () => {
    const bytes = readFileSync(new URL('bloomery/golden/tiny.bloom', import.meta.url));
    expect(formatOf(bytes.subarray(0, 64), bytes.length)?.system).toBe('bloom');
    expect(formatOf(bytes.subarray(0, 7), undefined)?.system).toBeUndefined();
  });
});

test.each([
  ['text', Buffer.from('walk\nwalks\n'.repeat(9))],
  ['NULs', new Uint8Array(24)],
  ['records that end with NUL, some of them empty', Buffer.from('\0\0\0\x05\0\0\0\x03'.repeat(5))],
  ['nothing', new Uint8Array()],
])('%s is not a filter', (_, bytes) => {
  expect(formatOf(bytes, bytes.length)?.system).toBeUndefined();
});
