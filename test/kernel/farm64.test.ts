import { expect, test } from 'vitest';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { farm64 } from '../reference/farm64.ts';
import { wrap } from '../reference/xxh64.ts';
import { singleDigests } from './hashing.ts';

const kernel = loadKernel();
const at = kernel.reserve(4096);
const digestAt = singleDigests(kernel);

function hashed(bytes: Uint8Array, seed: bigint): bigint {
  kernel.bytes(at, bytes.length).set(bytes);
  return digestAt('farm64', at, bytes.length, seed);
}

test.each([
  // Guava, FarmHashFingerprint64Test.java.
  ['test', 0n, 8581389452482819506n],
  ['test'.repeat(8), 0n, -4196240717365766262n],
  ['test'.repeat(64), 0n, 3500507768004279527n],
  // BigQuery, FARM_FINGERPRINT.
  ['1footrue', 0n, -1541654101129638711n],
  ['2applefalse', 0n, 2794438866806483259n],
  ['3true', 0n, -4880158226897771312n],
  // CityHash 1.1, which is the same hash for at most 64 bytes: String::CityHash, cityhash64.t.
  ['test', 12345n, 9154302171269876511n],
  ['Some string to be hashed', 0n, 1913933300403985036n],
  ['Some string to be hashed', 12345n, 6244958432173816888n],
])('of %j with seed %d is the published one, in the kernel and in the oracle', (text, seed, hash) => {
  const bytes = new Uint8Array(Buffer.from(text));
  const unsigned = wrap(hash);
  expect([hashed(bytes, seed), farm64(bytes, seed)]).toEqual([unsigned, unsigned]);
});

/** `testMultipleLengths` of Guava's FarmHashFingerprint64Test.java. */
function checkOfLengths(fingerprint: (bytes: Uint8Array) => bigint, iterations: number): bigint {
  const buffer = new Uint8Array(4 * iterations);
  let length = 0;
  let h = 0n;
  const append = (of: number) => {
    h ^= fingerprint(buffer.subarray(0, of));
    h = wrap((h ^ (h >> 41n)) * 949921979n);
    buffer[length++] = 97 + Number((h & 0xfffffn) % 26n);
  };
  for (let i = 0; i < iterations; i++) {
    append(i);
    append((i * i) % length);
    append((i * i * i) % length);
    append(length);
    const [x0 = 0, x1 = 0, x2 = 0] = [1, 2, 3].map((back) => buffer[length - back]);
    const x3 = buffer[length >> 1] ?? 0;
    const first = ((x0 << 16) + (x1 << 8) + x2) % length;
    buffer[first] = (buffer[first] ?? 0) ^ x3;
    const second = ((x1 << 16) + (x2 << 8) + x3) % length;
    buffer[second] = (buffer[second] ?? 0) ^ (i % 256);
  }
  return h;
}

test('of all lengths has the published check', () => {
  expect(checkOfLengths((bytes) => hashed(bytes, 0n), 800)).toBe(0x7a1d67c50ec7e167n);
});

test('of all lengths to 300 is that of the oracle', () => {
  for (const iterations of [1, 75])
    expect(checkOfLengths((bytes) => hashed(bytes, 0n), iterations)).toBe(
      checkOfLengths((bytes) => farm64(bytes, 0n), iterations),
    );
});
