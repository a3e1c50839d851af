import type { KeyRules } from '../../formats/description.ts';
import { type Encoding, encodingNamed } from '../../hashes/encodings.ts';
import { KEY_HASHES, type KeyHash } from '../../hashes/key-hashes.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { nearestDouble, nearestSingle } from './decimal.ts';
import { VISIT_LIMIT } from './digests.ts';
import { PADDING } from './record-buffer.ts';

/**
 * Replaces `count` keys, given by their spans, by the bytes to hash, and changes their spans. `most` is the maximum of all keys' bytes.
 * Returns the number of keys that are not values of the key type; their spans become empty ones at address 0.
 */
export type EncodeKeys = (spans: number, count: number, most: number) => number;

/** How much longer folded keys may be: a character of two bytes may fold to one of three. */
const FOLDED_GROWTH = 1.5;

/** Whether keys are hashed without change. */
export function isHashedAsItIs({ ignoreCase, trim, keyHash, encoding, prefix }: KeyRules): boolean {
  return !ignoreCase && !trim && keyHash === undefined && encoding === undefined && prefix === undefined;
}

/** The encoding of keys by some rules. */
export function createEncoding(
  kernel: Kernel,
  { ignoreCase, trim, keyHash, encoding, encodingParameters, prefix }: KeyRules,
): EncodeKeys {
  const { exports: entries } = kernel;
  const trims = trim || (encoding !== undefined && encodingNamed(encoding).trims);
  const encode = encoding === undefined ? undefined : createTyping(kernel, encodingNamed(encoding), encodingParameters);
  const fold = ignoreCase === false ? undefined : createFolding(kernel, ignoreCase);
  const growth = ignoreCase === 'unicode' ? FOLDED_GROWTH : 1;
  const digest = keyHash && createKeyHashing(kernel, keyHash);
  return (spans, count, given) => {
    const most = Math.ceil(growth * given);
    if (trims) entries.trimKeys(spans, count);
    fold?.(spans, count, most);
    const without = digest?.(spans, count) ?? encode?.(spans, count, most) ?? 0;
    if (prefix !== undefined) entries.cutKeys(spans, count, prefix);
    return without;
  };
}

function createFolding(
  kernel: Kernel,
  letters: true | 'unicode',
): (spans: number, count: number, most: number) => void {
  const { exports } = kernel;
  const scratchFor = createScratch(kernel);
  if (letters === true) return (spans, count, most) => exports.foldKeys(spans, count, scratchFor(most));
  exports.configureFolding(kernel.reserve(exports.foldingTableBytes()));
  return (spans, count, most) => exports.foldAllKeys(spans, count, scratchFor(most));
}

/** Replaces keys by their digests in hexadecimal, or normalises given digests. A filter has no encoding besides. */
function createKeyHashing(
  kernel: Kernel,
  { name, isUpper, areGiven }: KeyHash,
): (spans: number, count: number) => number {
  const { hashToHex, keyHashBytes, normaliseHex } = kernel.exports;
  const { id, digits } = KEY_HASHES[name];
  const parameters = kernel.reserve(keyHashBytes());
  new BigUint64Array(kernel.memory.buffer, parameters, 2).set([BigInt(id), isUpper ? 1n : 0n]);
  const scratchFor = createScratch(kernel);
  return (spans, count) =>
    (areGiven ? normaliseHex : hashToHex)(spans, count, scratchFor(digits * VISIT_LIMIT), parameters);
}

function createTyping(kernel: Kernel, encoding: Encoding, parameters = encoding.parameters): EncodeKeys {
  const { entry, scratch } = encoding;
  const left = entry === 'encodeFloats' ? createLeftFloats(kernel, parameters) : undefined;
  const configured = left === undefined ? parameters : [...parameters, BigInt(left.address)];
  const at = kernel.reserve(8 * configured.length);
  new BigUint64Array(kernel.memory.buffer, at, configured.length).set(configured);
  const scratchFor = createScratch(kernel);
  return (spans, count, most) => {
    const to = scratchFor(scratch.key * VISIT_LIMIT + scratch.byte * most);
    const without = kernel.exports[entry](spans, count, to, at);
    return without + (left?.encode(spans, to) ?? 0);
  };
}

/** Memory that grows to the largest size that was ever needed. */
export function createScratch(kernel: Kernel): (bytes: number) => number {
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

/** Floating-point numbers that the kernel cannot convert with one multiplication; they are converted here. */
interface LeftFloats {
  /** Address of the u32 indices of these keys, after their number. */
  readonly address: number;
  /**
   * Converts the numbers as the kernel converts others: the bytes of key i go to `to` + 8 i, and the spans change. Returns how many are not
   * values.
   */
  encode(spans: number, to: number): number;
}

/** Bytes that the kernel reserves per key. */
const SLOT = 8;

/** The numbers of an encoding with these parameters. */
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
        // A number that is too large is not a value of the type.
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
