import { BloomError } from '../errors.ts';
import { REGISTERS_START, type RegisterLayout, readRegisters } from './registers.ts';
import { FAMILY, HEAD_WORDS, isSketch, VERSION } from './signature.ts';
import { couponLimit, LIST_COUPONS, PLACE_BITS, type Sketch, sketchOfCoupons } from './sketch.ts';

// The file of a HyperLogLog sketch, as Apache DataSketches writes it (PreambleUtil.java, HllUtil.hpp). Numbers are
// little-endian.
//
// | offset | bytes | field                                                                                        |
// | 0      | 1     | words of 4 bytes before the data: 2 for a list, 3 for a set, 10 for registers                |
// | 1      | 1     | version: 1                                                                                   |
// | 2      | 1     | family: 7                                                                                    |
// | 3      | 1     | logarithm of the number of registers, 4 to 21                                                |
// | 4      | 1     | logarithm of the positions in the list, the set or the table of exceptions                   |
// | 5      | 1     | flags: 4 is empty, 8 is compact, 16 is out of order; 2 and 32 are internal to the libraries  |
// | 6      | 1     | list: the number of coupons; registers of 4 bits: the least rank                             |
// | 7      | 1     | 0 list, 1 set, 2 registers; plus 4 times the register type: 0 is 4 bits, 1 is 6, 2 is 8      |
// | 8      | 4     | set: the number of coupons                                                                   |
// | 8      | 8     | registers: the estimate in the order of the keys; 0 if out of order                          |
// | 16     | 16    | registers: the sums of 2^-rank for ranks below 32, and for the other ranks, as doubles       |
// | 32     | 4     | registers: how many have the least rank, which is 0 except for 4 bits                        |
// | 36     | 4     | registers: exceptions, which are ranks that 4 bits cannot hold                               |
// | 8, 12, 40 |    | coupons, u32 each; or registers, then exceptions: u32s with the register below, the rank above |
//
// A file that is not compact has all positions, with 0 in a free position. `sketchBytes` writes compact files in
// ascending order with 8 bits per register. Their flag 16 is set, because threads meet the keys in any order. So a set of
// keys always has the same file.

const MODES = { list: 0, set: 1, registers: 2 };
const FLAGS = { empty: 4, compact: 8, outOfOrder: 16 };
const KNOWN_FLAGS = 4 | 8 | 16 | 2 | 32;
const BYTE_REGISTERS = 2;
const LIST_START = 8;
const SET_START = 12;
const LOG_LIST = 3;
const LOG_LEAST_SET = 5;

/** Bytes of the largest file. It has registers of 8 bits, or of 4 bits with a full table of exceptions. */
export const SKETCH_LIMIT = 2 ** 22;

function isType(type: number): type is RegisterLayout['type'] {
  return type >= 0 && type <= BYTE_REGISTERS;
}

/** The bytes of the file of a sketch. */
export function sketchBytes({ logRegisters, coupons, registers }: Sketch): Uint8Array {
  return coupons === undefined ? bytesOfRegisters(logRegisters, registers) : bytesOfCoupons(logRegisters, coupons);
}

function bytesOfCoupons(logRegisters: number, coupons: Uint32Array): Uint8Array {
  const { length } = coupons;
  const isList = length <= LIST_COUPONS;
  const start = isList ? LIST_START : SET_START;
  const bytes = new Uint8Array(start + 4 * length);
  const view = new DataView(bytes.buffer);
  const form = isList ? 'list' : 'set';
  const flags = FLAGS.compact | (length === 0 ? FLAGS.empty : 0);
  const logArray = isList ? LOG_LIST : logPositions(length);
  bytes.set([
    HEAD_WORDS[MODES[form]] ?? 0,
    VERSION,
    FAMILY,
    logRegisters,
    logArray,
    flags,
    isList ? length : 0,
    modesOf(form),
  ]);
  if (!isList) view.setUint32(8, length, true);
  for (const [i, coupon] of coupons.entries()) view.setUint32(start + 4 * i, coupon, true);
  return bytes;
}

function bytesOfRegisters(logRegisters: number, registers: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(REGISTERS_START + registers.length);
  const view = new DataView(bytes.buffer);
  const flags = FLAGS.compact | FLAGS.outOfOrder;
  bytes.set([HEAD_WORDS[MODES.registers] ?? 0, VERSION, FAMILY, logRegisters, 0, flags, 0, modesOf('registers')]);
  view.setFloat64(16, harmonicSum(registers, 0, 32), true);
  view.setFloat64(24, harmonicSum(registers, 32, 64), true);
  view.setUint32(
    32,
    registers.reduce((zeros, rank) => zeros + Number(rank === 0), 0),
    true,
  );
  bytes.set(registers, REGISTERS_START);
  return bytes;
}

/** The byte for the form and for registers of 8 bits. */
function modesOf(form: keyof typeof MODES): number {
  return MODES[form] | (BYTE_REGISTERS << 2);
}

/**
 * The sum of 2^-rank over the ranks in a range. The sum is exact: each of at most 2^21 terms is a multiple of the least
 * term.
 */
function harmonicSum(registers: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (const rank of registers) if (rank >= from && rank < to) sum += 2 ** -rank;
  return sum;
}

/** The logarithm of the positions in a set of `coupons` coupons. At most three quarters of the positions are in use. */
function logPositions(coupons: number): number {
  return Math.max(LOG_LEAST_SET, Math.ceil(Math.log2(coupons / 0.75)));
}

/** The sketch with these bytes. Throws a `format` error if they are not a sketch. `name` is the name in messages. */
export function readSketch(bytes: Uint8Array, name: string): Sketch {
  const refuse = (what: string): never => {
    throw new BloomError('format', `${name} ${what}`, 'name a sketch that bloom count -o or Apache DataSketches wrote');
  };
  const damaged = (what: string): never => refuse(`is damaged: ${what}`);
  if (bytes.length < LIST_START || !isSketch(bytes)) refuse('is not a HyperLogLog sketch');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [, , , logRegisters = 0, logArray = 0, flags = 0, third = 0, modes = 0] = bytes;
  if ((flags & ~KNOWN_FLAGS) !== 0) refuse(`has flags that this bloom does not know: ${flags}`);
  const type = modes >> 2;
  if (!isType(type)) return refuse(`has registers of a type that this bloom does not know: ${type}`);
  const isCompact = (flags & FLAGS.compact) !== 0;
  const mode = modes & 3;
  if (mode === MODES.registers) {
    const registers = readRegisters(bytes, { logRegisters, type, least: third, logExceptions: logArray, isCompact });
    return typeof registers === 'string' ? damaged(registers) : { logRegisters, registers };
  }
  const isSet = mode === MODES.set;
  const start = isSet ? SET_START : LIST_START;
  if (bytes.length < start) damaged('its beginning is incomplete');
  const count = isSet ? view.getUint32(8, true) : third;
  if (count > (isSet ? couponLimit(logRegisters) : LIST_COUPONS)) damaged(`it cannot have ${count} coupons`);
  if (isSet && !isCompact && (logArray < LOG_LEAST_SET || logArray > logRegisters - 3))
    damaged(`it states a set of 2^${logArray} positions, which is impossible`);
  const isEmpty = (flags & FLAGS.empty) !== 0;
  if (isEmpty !== (count === 0)) damaged('its flags and its number of coupons contradict each other');
  const positions = isCompact ? count : 2 ** (isSet ? logArray : LOG_LIST);
  if (bytes.length !== start + 4 * positions)
    damaged(`it has ${bytes.length} bytes instead of ${start + 4 * positions}`);
  const all = Uint32Array.from({ length: positions }, (_, i) => view.getUint32(start + 4 * i, true));
  const coupons = all.filter((coupon) => coupon !== 0);
  if (coupons.some((coupon) => coupon >>> PLACE_BITS === 0)) damaged('a coupon has no rank');
  const sketch = sketchOfCoupons(logRegisters, coupons);
  if (sketch.coupons?.length !== count) damaged('it has a wrong number of coupons');
  return sketch;
}
