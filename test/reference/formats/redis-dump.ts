// The output of Redis' DUMP for a RedisBloom filter, after rdb.c, lzf_d.c and crc64.c of https://github.com/redis/redis.

import { bitsOf, type RedisFilter, type RedisLink } from './redisbloom.ts';

/** The result of eight shifts of Jones' CRC-64 for each byte. */
const SHIFTED = Array.from({ length: 256 }, (_, byte) => {
  let crc = BigInt(byte);
  for (let bit = 0; bit < 8; bit++) crc = (crc >> 1n) ^ ((crc & 1n) === 1n ? 0x95ac9329ac4bc9b5n : 0n);
  return crc;
});

/** Jones' CRC-64, a byte at a time. */
export function crc64(bytes: Uint8Array): bigint {
  let crc = 0n;
  for (const byte of bytes) crc = (crc >> 8n) ^ (SHIFTED[Number(crc & 0xffn) ^ byte] ?? 0n);
  return crc;
}

/** A reader with the rules of `rdbLoadLen` and its relatives. */
function reader(bytes: Uint8Array) {
  const buffer = Buffer.from(bytes);
  let next = 0;
  const byte = () => buffer[next++] ?? 0;
  const length = (first = byte()): number => {
    if (first >> 6 === 0) return first;
    if (first >> 6 === 1) return (first & 63) * 256 + byte();
    next += first === 0x80 ? 4 : 8;
    return first === 0x80 ? buffer.readUInt32BE(next - 4) : Number(buffer.readBigUInt64BE(next - 8));
  };
  const some = (count: number) => {
    next += count;
    return bytes.subarray(next - count, next);
  };
  return {
    whole() {
      if (length() !== 2) throw new Error('it is no whole number');
      return length();
    },
    double: () => (length() === 4 ? Buffer.from(some(8)).readDoubleLE() : Number.NaN),
    string() {
      if (length() !== 5) throw new Error('it is no string');
      const first = byte();
      if (first !== 0xc3) return some(length(first));
      const [packed, whole] = [length(), length()];
      return unpacked(some(packed), whole);
    },
  };
}

/** `lzf_decompress`. */
function unpacked(packed: Uint8Array, length: number): Uint8Array {
  const out: number[] = [];
  for (let i = 0; i < packed.length; ) {
    const control = packed[i++] ?? 0;
    if (control < 32) {
      out.push(...packed.subarray(i, i + control + 1));
      i += control + 1;
    } else {
      let count = control >> 5;
      if (count === 7) count += packed[i++] ?? 0;
      const from = out.length - (control & 31) * 256 - (packed[i++] ?? 0) - 1;
      for (let j = 0; j < count + 2; j++) out.push(out[from + j] ?? 0);
    }
  }
  if (out.length !== length) throw new Error('it is not as long as it says');
  return Uint8Array.from(out);
}

/** Compresses only runs of equal bytes, which suffices for a filter of few keys. */
function packed(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let i = 0; i < bytes.length; ) {
    out.push(0, bytes[i] ?? 0);
    let run = 0;
    while (run < 264 && i + 1 + run < bytes.length && bytes[i + 1 + run] === bytes[i]) run++;
    if (run >= 9) out.push(7 << 5, run - 9, 0);
    else if (run >= 3) out.push((run - 2) << 5, 0);
    else run = 0;
    i += 1 + run;
  }
  return Uint8Array.from(out);
}

/** `rdbSaveLen`. */
export function length(value: number): Buffer {
  if (value < 64) return Buffer.from([value]);
  if (value < 16_384) return Buffer.from([0x40 | (value >> 8), value & 255]);
  const bytes = Buffer.alloc(value < 2 ** 32 ? 5 : 9);
  bytes[0] = value < 2 ** 32 ? 0x80 : 0x81;
  if (value < 2 ** 32) bytes.writeUInt32BE(value, 1);
  else bytes.writeBigUInt64BE(BigInt(value), 1);
  return bytes;
}

const whole = (value: number) => Buffer.concat([length(2), length(value)]);

function double(value: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = 4;
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

function string(value: Uint8Array, isPacked: boolean): Buffer {
  const short = packed(value);
  const isShorter = isPacked && short.length < value.length - 4;
  const sizes = isShorter ? [Buffer.from([0xc3]), length(short.length), length(value.length)] : [length(value.length)];
  return Buffer.concat([length(5), ...sizes, isShorter ? short : value]);
}

function withCrc(bytes: Uint8Array): Uint8Array {
  const file = Buffer.alloc(bytes.length + 8);
  file.set(bytes);
  file.writeBigUInt64LE(crc64(bytes), bytes.length);
  return new Uint8Array(file);
}

/** The dump that Redis writes; with `isPacked` false, without compression and in the version of Redis 5. */
export function encodeDump({ options, growth, links }: RedisFilter, isPacked = true): Uint8Array {
  const items = links.reduce((sum, link) => sum + link.items, 0);
  const values = links.flatMap((link) => [
    whole(link.capacity),
    double(link.fpr),
    whole(link.k),
    double(link.bitsPerKey),
    whole(8 * link.bytes),
    whole(link.power),
    string(bitsOf(link), isPacked),
    whole(link.items),
  ]);
  const head = [items, links.length, options, growth].map(whole);
  const id = Buffer.from('07813016e5a289bef804', 'hex');
  return withCrc(Buffer.concat([id, ...head, ...values, Buffer.from([0, isPacked ? 10 : 9, 0])]));
}

export function decodeDump(file: Uint8Array): RedisFilter {
  const { whole, double, string } = reader(file.subarray(10));
  const version = file[9] ?? 0;
  whole();
  const count = whole();
  const options = whole();
  const growth = version < 4 ? 2 : whole();
  const links = Array.from({ length: count }, (): RedisLink => {
    const [capacity, fpr, k, bitsPerKey, bits, power] = [whole(), double(), whole(), double(), whole(), whole()];
    const array = string();
    // Before version 4, the number of bits is 0 if the file has its log2.
    return {
      bytes: version < 4 ? array.length : bits / 8,
      items: whole(),
      fpr,
      bitsPerKey,
      k,
      capacity,
      power,
      bits: new Map(array.entries()),
    };
  });
  return { options, growth, links };
}

/** `CFRdbLoad` of rebloom.c: the slots of each array of a cuckoo filter, and the parameters of its buckets. */
export function decodeCuckooDump(file: Uint8Array) {
  const { whole, string } = reader(file.subarray(10));
  const count = whole();
  const [buckets, items, , bucketSlots, , expansion] = [whole(), whole(), whole(), whole(), whole(), whole()];
  const filters = Array.from({ length: count }, () => {
    whole();
    return Uint8Array.from(string());
  });
  return { buckets, items, bucketSlots, expansion, filters };
}
