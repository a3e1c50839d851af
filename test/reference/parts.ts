// Parts of a filter, after FORMAT.md and nothing else.

import { type DigestRules, digestOf } from './digests.ts';
import { xxh64 } from './xxh64.ts';

const HEADER = 128;
const CHECKED = 120;
const ENTRY = 16;
const SEAL = 8;
const FLAGS = 16;
const PART_FLAG = 4;
const ORIGIN_FLAG = 32;
const PART = 80;
const ORIGIN = 104;

/** Which part of a filter: K of N. */
export type PartNumber = readonly [part: number, parts: number];

/** The segments of a part: the first one, and the one after the last. */
export function segmentsOfPart(segments: number, [part, parts]: PartNumber): readonly [number, number] {
  const first = (BigInt(part - 1) * BigInt(segments)) / BigInt(parts);
  const end = (BigInt(part) * BigInt(segments)) / BigInt(parts);
  return [Number(first), Number(end)];
}

/** The number of the part that has a key. */
export function partOfKey(key: Uint8Array, rules: DigestRules, segments: number, parts: number): number {
  const segment = Number(((digestOf(key, rules) >> 32n) * BigInt(segments)) >> 32n);
  const isIn = (part: number) => segment < segmentsOfPart(segments, [part, parts])[1];
  return Array.from({ length: parts }, (_, i) => i + 1).find(isIn) ?? 0;
}

/** The origin of a part that was built from all inputs; `inputs` is their fingerprint. */
export function originOfAll(inputs: bigint): Uint8Array {
  const origin = new Uint8Array(16);
  const view = new DataView(origin.buffer);
  view.setUint32(0, 1, true);
  view.setUint32(4, 1, true);
  view.setBigUint64(8, inputs, true);
  return origin;
}

/** Reads the fingerprint of the inputs from the file of a part or an input slice. */
export function inputsIn(file: Uint8Array): bigint {
  return new DataView(file.buffer, file.byteOffset).getBigUint64(ORIGIN + 8, true);
}

/** Cuts the file of a part with `inserted` keys out of a filter's file; `inputs` is the fingerprint of the inputs. */
export function partOfFile(file: Uint8Array, which: PartNumber, inserted: number, inputs: bigint): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const segments = view.getUint32(40, true);
  const bytes = view.getUint32(44, true) / 8;
  const [first, end] = segmentsOfPart(segments, which);
  const header = file.slice(0, HEADER);
  const fields = new DataView(header.buffer);
  fields.setUint32(FLAGS, fields.getUint32(FLAGS, true) | PART_FLAG | ORIGIN_FLAG, true);
  header.set(originOfAll(inputs), ORIGIN);
  fields.setBigUint64(64, BigInt(inserted), true);
  fields.setBigUint64(72, BigInt((end - first) * bytes), true);
  fields.setUint32(PART, which[0], true);
  fields.setUint32(PART + 4, which[1], true);
  fields.setBigUint64(CHECKED, xxh64(header.subarray(0, CHECKED), 0n), true);
  const payload = file.subarray(HEADER + first * bytes, HEADER + end * bytes);
  const tableAt = HEADER + segments * bytes;
  const table = file.subarray(tableAt + first * ENTRY, tableAt + end * ENTRY);
  const seal = new Uint8Array(SEAL);
  new DataView(seal.buffer).setBigUint64(0, xxh64(table, fields.getBigUint64(CHECKED, true)), true);
  return Uint8Array.from(Buffer.concat([header, payload, table, seal]));
}
