import { BloomError } from '../../errors.ts';
import { log } from '../logarithm.ts';
import { STEPS } from '../steps.ts';
import { allocated, bloomRate, type SystemSizing } from './system.ts';

/** (ln 2)^2 and ln 2 with the digits that RedisBloom has. */
const LN_2_SQUARED = 480_453_013_918_201 / 1e15;
const LN_2 = 693_147_180_559_945 / 1e15;

/** The sizes that `SBChain_AddLink` allocates for one array. */
export interface LinkSize {
  /** The number of keys for which the array is sized. */
  readonly capacity: number;
  readonly fpr: number;
  readonly bitsPerKey: number;
  readonly k: number;
  readonly bytes: number;
  /** log2 of the bits that positions can reach; 0 if they can reach all bits. */
  readonly power: number;
}

/**
 * `bloom_init`: the required bits in whole words of 64. With `isPower` the bits are a power of two, and the capacity is
 * larger.
 */
export function linkSize(capacity: number, fpr: number, isPower = false): LinkSize {
  const bitsPerKey = -log(fpr) / LN_2_SQUARED;
  const wanted = capacity * bitsPerKey;
  const power = isPower ? Math.floor(Math.log2(wanted)) + 1 : 0;
  const bits = isPower ? 2 ** power : Math.max(1, Math.trunc(wanted));
  const more = isPower ? Math.trunc((bits - wanted) / bitsPerKey) : 0;
  const bytes = 8 * Math.ceil(bits / 64);
  return { capacity: capacity + more, fpr, bitsPerKey, k: Math.ceil(LN_2 * bitsPerKey), bytes, power };
}

/** RedisBloom treats higher rates as this rate. */
const RATE_LIMIT = 0.25;

/**
 * The first array of `BF.RESERVE`. If further arrays may follow, it has half of the rate, because the errors of arrays
 * add up.
 */
export function firstLink(items: number, fpr: number, isScaling: boolean): LinkSize {
  const effective = Math.min(RATE_LIMIT, fpr);
  return linkSize(items, isScaling ? effective * TIGHTENING : effective);
}

/** Bytes of a file with one array, which has had `link.capacity` keys. */
type FileBytes = (link: LinkSize, growth: number) => number;

/** Bytes before the bits of one array: the header of `BF.SCANDUMP`. */
const HEADER_BYTES = 73;

/** The header and the bits. */
const rawBytes: FileBytes = ({ bytes }) => HEADER_BYTES + bytes;

/** Bytes of the bits that one reply of `BF.SCANDUMP` has, at most. */
export const CHUNK_BYTES = 2 ** 24;

/** Bytes of a bulk string of RESP, the protocol of Redis. */
const bulkBytes = (length: number) => `$${length}\r\n`.length + length + '\r\n'.length;

/** Bytes of the command `BF.LOADCHUNK bloom ITERATOR CHUNK` as an array of RESP. */
function commandBytes(iterator: number, chunk: number): number {
  const strings = ['BF.LOADCHUNK', 'bloom', `${iterator}`];
  return '*4\r\n'.length + strings.reduce((sum, { length }) => sum + bulkBytes(length), bulkBytes(chunk));
}

/**
 * The commands that restore the filter: one for its header, and one for each chunk of its bits. The iterator of a chunk is one more than
 * the bytes up to its end. Whole chunks whose iterators have the same number of digits have equal commands.
 */
const commandsBytes: FileBytes = ({ bytes }) => {
  const whole = Math.floor(bytes / CHUNK_BYTES);
  const rest = bytes - whole * CHUNK_BYTES;
  let all = commandBytes(1, HEADER_BYTES) + (rest > 0 ? commandBytes(1 + bytes, rest) : 0);
  for (let before = 0, least = 1; before < whole; least *= 10) {
    const upTo = Math.min(whole, Math.floor((10 * least - 2) / CHUNK_BYTES));
    all += (upTo - before) * commandBytes(least, CHUNK_BYTES);
    before = upTo;
  }
  return all;
};

/** Bytes of a whole number in `DUMP`, after its type: it has 6, 14, 32 or 64 bits. */
const wholeBytes = (value: number) => 1 + (value < 2 ** 6 ? 1 : value < 2 ** 14 ? 2 : value < 2 ** 32 ? 5 : 9);

/** The value of a module with its type, its version, the version of the database and a checksum: ten values for one array, and two rates. */
const dumpBytes: FileBytes = ({ capacity, k, bytes, power }, growth) => {
  const options = 1;
  const wholes = [capacity, 1, options, growth, capacity, k, 8 * bytes, power, bytes, capacity];
  return wholes.reduce((sum, value) => sum + wholeBytes(value), 10 + 2 * 9 + 3 + 8) + bytes;
};

const FILE_BYTES = { commands: commandsBytes, raw: rawBytes, dumped: dumpBytes };

export function redisBloomSizing(name: string, isScaling: boolean, container: keyof typeof FILE_BYTES): SystemSizing {
  const fileBytes = FILE_BYTES[container];
  return {
    name,
    system: 'RedisBloom',
    accepts: isScaling ? ['items', 'fpr', 'growth'] : ['items', 'fpr'],
    plan({ items, fpr, growth = EXPANSION }) {
      if (items === undefined || fpr === undefined) return undefined;
      requireExpansion(growth);
      const link = firstLink(items, fpr, isScaling);
      const { bytes, k } = link;
      const bits = 8 * bytes;
      const rateWith = (keys: number) =>
        isScaling ? chainRate({ items, fpr, growth }, keys) : linkRate(keys, bits, k);
      return allocated(this.system, { items, fpr, bits, k, fileBytes: fileBytes(link, growth), growth, rateWith });
    },
  };
}

/** The ratios of the size and of the rate of an array to those of the array before, if they are not stated. */
export const EXPANSION = 2;
export const TIGHTENING = 1 / 2;

const EXPANSION_LIMIT = 32_768;

/** Throws a `usage` error if `growth` is not a valid `EXPANSION` of `BF.RESERVE`. */
function requireExpansion(growth: number): void {
  if (Number.isInteger(growth) && growth >= 1 && growth <= EXPANSION_LIMIT) return;
  throw new BloomError(
    'usage',
    `filters of RedisBloom grow by a whole number from 1 to ${EXPANSION_LIMIT}, not ${growth}`,
    'state another --growth',
  );
}

/** A filter that grows. */
interface Chained {
  readonly items: number;
  readonly fpr: number;
  readonly growth: number;
}

/** The rate of one array. */
function linkRate(keys: number, bits: number, k: number): number {
  return bloomRate(keys, bits, k, STEPS['double-hashing']);
}

/** The rate of a filter that has grown to `keys` keys. A non-member is a false positive in any of its arrays. */
function chainRate({ items, fpr, growth }: Chained, keys: number): number {
  let missed = 1;
  let link = firstLink(items, fpr, true);
  for (let left = keys; left > 0; left -= link.capacity, link = linkSize(link.capacity * growth, link.fpr * TIGHTENING))
    missed *= 1 - linkRate(Math.min(left, link.capacity), 8 * link.bytes, link.k);
  return 1 - missed;
}
