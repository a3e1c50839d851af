import type { KeyRules } from '../../formats/description.ts';
import { type Encoding, encodingNamed } from '../../hashes/encodings.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { nearestDouble, nearestSingle } from './decimal.ts';
import { VISIT_LIMIT } from './digests.ts';
import { PADDING } from './record-buffer.ts';

/**
 * Makes of `count` keys, by their spans, the bytes that are hashed, and their spans those of these; `most` is what the bytes of
 * all keys can be. Returns how many keys are no value of the type that is asked for: their spans are those of no key.
 */
export type EncodeKeys = (spans: number, count: number, most: number) => number;

/** Whether keys are hashed as they are, under some rules. */
export function isHashedAsItIs({ ignoreCase, trim, encoding, prefix }: KeyRules): boolean {
  return !ignoreCase && !trim && encoding === undefined && prefix === undefined;
}

/** The encoding of keys under some rules. */
export function createEncoding(
  kernel: Kernel,
  { ignoreCase, trim, encoding, encodingParameters, prefix }: KeyRules,
): EncodeKeys {
  const { exports: entries } = kernel;
  const trims = trim || (encoding !== undefined && encodingNamed(encoding).trims);
  const encode = encoding === undefined ? undefined : createTyping(kernel, encodingNamed(encoding), encodingParameters);
  const fold = ignoreCase ? createFolding(kernel) : undefined;
  return (spans, count, most) => {
    if (trims) entries.trimKeys(spans, count);
    fold?.(spans, count, most);
    const without = encode?.(spans, count, most) ?? 0;
    if (prefix !== undefined) entries.cutKeys(spans, count, prefix);
    return without;
  };
}

function createFolding(kernel: Kernel): (spans: number, count: number, most: number) => void {
  const roomFor = createRoom(kernel);
  return (spans, count, most) => kernel.exports.foldKeys(spans, count, roomFor(most));
}

function createTyping(kernel: Kernel, encoding: Encoding, parameters = encoding.parameters): EncodeKeys {
  const { entry, room } = encoding;
  const left = entry === 'encodeFloats' ? createLeftFloats(kernel, parameters) : undefined;
  const told = left === undefined ? parameters : [...parameters, BigInt(left.address)];
  const at = kernel.reserve(8 * told.length);
  new BigUint64Array(kernel.memory.buffer, at, told.length).set(told);
  const roomFor = createRoom(kernel);
  return (spans, count, most) => {
    const to = roomFor(room.key * VISIT_LIMIT + room.byte * most);
    const without = kernel.exports[entry](spans, count, to, at);
    return without + (left?.encode(spans, to) ?? 0);
  };
}

/** Room for so many bytes, of which no more is taken than was ever wanted. */
export function createRoom(kernel: Kernel): (bytes: number) => number {
  let address = 0;
  let size = -1;
  return (bytes) => {
    if (bytes > size) {
      address = kernel.reserve(bytes + PADDING);
      size = bytes;
    }
    return address;
  };
}

/** The floating-point numbers that the kernel leaves to us, as they take more than a multiplication. */
interface LeftFloats {
  /** Address of the u32 indices of their keys, their number first. */
  readonly address: number;
  /** Makes of them what the kernel makes of others: their bytes at 8 `to` each, and their spans; returns how many are no value. */
  encode(spans: number, to: number): number;
}

/** Bytes that the kernel keeps for each key. */
const SLOT = 8;

/** Those of an encoding with these parameters. */
function createLeftFloats(kernel: Kernel, parameters: readonly bigint[]): LeftFloats {
  const [bytes = 0, isBigEndian, isSingle, hasOneZero] = parameters.map(Number);
  const address = kernel.reserve(4 * (VISIT_LIMIT + 1));
  const nearest = isSingle ? nearestSingle : nearestDouble;
  const write = (into: DataView, at: number, number: number) =>
    bytes === 8 ? into.setFloat64(at, number, !isBigEndian) : into.setFloat32(at, number, !isBigEndian);
  return {
    address,
    encode(spans, to) {
      const memory = new DataView(kernel.memory.buffer);
      let without = 0;
      for (let i = 1; i <= memory.getUint32(address, true); i++) {
        const key = memory.getUint32(address + 4 * i, true);
        const span = spans + 8 * key;
        const text = Buffer.from(kernel.memory.buffer, memory.getUint32(span, true), memory.getUint32(span + 4, true));
        const number = nearest(text.toString('latin1'));
        // What is too large is none of these numbers.
        const isValue = Number.isFinite(number);
        if (isValue) write(memory, to + SLOT * key, hasOneZero && number === 0 ? 0 : number);
        else without++;
        memory.setUint32(span, isValue ? to + SLOT * key : 0, true);
        memory.setUint32(span + 4, isValue ? bytes : 0, true);
      }
      return without;
    },
  };
}
