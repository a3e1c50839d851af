// Database files of Redis, after rdb.c of https://github.com/redis/redis. A filter in them has the bytes that DUMP gives.

import { crc64, length } from './redis-dump.ts';
import { redisbloom } from './redisbloom.ts';
import { redisCuckoo } from './redisbloom-cuckoo.ts';
import type { ForeignFilter, Spoil, System, Vessel } from './system.ts';

/** The ids of the modules, after the mark of a 64-bit length and without the version of their values. */
const IDS = { bloom: Buffer.from('813016e5a289bef8', 'hex'), cuckoo: Buffer.from('813016e5a2898214', 'hex') };

/** A string without compression. */
export const text = (value: string | Uint8Array): Buffer => Buffer.concat([length(value.length), Buffer.from(value)]);

/** A key with a type and the bytes of its value. */
export const keyOf = (name: string, type: number, ...value: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Uint8Array.of(type), text(name), ...value]);

/** A key whose value is a filter. DUMP puts the type before the value, and a version and a checksum after it. */
export const filterKey = (name: string, dump: Uint8Array): Buffer => keyOf(name, 7, dump.subarray(1, -10));

/** Selects a database. */
export const select = (database: number): Uint8Array => Uint8Array.of(0xfe, database);

/** A file of parts that begin in database 0; `checksum` replaces the correct one. */
export function databaseOf(parts: readonly Uint8Array[], version = '0010', checksum?: bigint): Uint8Array {
  const body = Buffer.concat([Buffer.from(`REDIS${version}`), select(0), ...parts, Uint8Array.of(0xff)]);
  const sum = Buffer.alloc(8);
  sum.writeBigUInt64LE(checksum ?? crc64(body));
  return new Uint8Array(Buffer.concat([body, sum]));
}

const AUX = Buffer.concat([Uint8Array.of(0xfa), text('redis-ver'), text('7.0.15')]);
const KEY = 'filter';
/** The offsets of the filter's key and of its module id in a vessel. */
const KEY_AT = 9 + 2 + AUX.length;
const ID_AT = KEY_AT + 1 + 1 + KEY.length;

/** Puts a filter of the DUMP oracle into a database, between other keys. */
function inDatabase(make: (() => Vessel) | undefined): () => Vessel {
  return () => {
    const { filter, keys } = make?.() ?? { filter: undefined, keys: 0 };
    if (filter === undefined) throw new Error('it is not made');
    const encode = () => databaseOf([AUX, filterKey(KEY, filter.encode()), keyOf('other', 0, text('text'))]);
    return { filter: { ...filter, encode }, keys };
  };
}

/** Applies a change, and then corrects the checksum. */
const summed =
  (spoil: Spoil): Spoil =>
  (file) => {
    spoil(file);
    const body = new Uint8Array(file.buffer, file.byteOffset, file.byteLength - 8);
    file.setBigUint64(body.length, crc64(body), true);
  };

export const redisDatabase: System = {
  decode(file): ForeignFilter {
    const bytes = Buffer.from(file);
    const at = bytes.indexOf(IDS.bloom);
    const dump = (from: number) => new Uint8Array(Buffer.concat([Uint8Array.of(7), bytes.subarray(from)]));
    return at >= 0 ? redisbloom.decode(dump(at)) : redisCuckoo.decode(dump(bytes.indexOf(IDS.cuckoo)));
  },
  vessels: {
    'a filter': inDatabase(redisbloom.vessels['what DUMP gives']),
    'a compressed filter': inDatabase(redisbloom.vessels['what DUMP gives, compressed']),
  },
  spoils: {
    'another checksum': (file) => file.setUint8(file.byteLength - 1, file.getUint8(file.byteLength - 1) ^ 1),
    'a version that is not a number': summed((file) => file.setUint8(8, 0x78)),
    'a key of a type that nobody knows': summed((file) => file.setUint8(KEY_AT, 99)),
    'a part that nobody knows': summed((file) => file.setUint8(KEY_AT - AUX.length, 0xf1)),
    'another module': summed((file) => file.setUint8(ID_AT + 2, 0)),
    'another version of values': summed((file) => file.setUint8(ID_AT + 8, 9)),
    'a value of a module of another type': summed((file) => file.setUint8(ID_AT + 9, 6)),
    'a key longer than the file': summed((file) => file.setUint16(ID_AT - 1 - KEY.length, 0x7fff)),
    'a string longer than the file': summed((file) => file.setUint8(file.byteLength - 14, 0x81)),
  },
  mayHaveMore: false,
};
