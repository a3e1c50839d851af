// The JSON that bits-and-blooms makes of a filter: {"m":M,"k":K,"b":"…"}. b is the rest of the output of `WriteTo` in
// base64, in the alphabet of URLs or in the standard alphabet.

import { BloomError, damaged } from '../../errors.ts';

const START = /^\s*\{\s*"m"\s*:\s*(\d+)\s*,\s*"k"\s*:\s*(\d+)\s*,\s*"b"\s*:\s*"/;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** The longest string of Node. */
const LETTERS_LIMIT = 2 ** 29 - 32;

/** Whether a file may be such JSON, by its first bytes and its length if it is known. */
export function isJson(head: DataView, size: number | undefined): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const [start, m = ''] = START.exec(text) ?? [];
  if (start === undefined || size === undefined) return start !== undefined;
  const bytes = 8 + 8 * Math.ceil(Number(m) / 64);
  const least = start.length + 4 * Math.ceil(bytes / 3);
  return size >= least && size <= least + head.byteLength;
}

/** The output of `WriteTo` for the filter. Throws `format` and `memory` errors. */
export function decodeJson(bytes: Uint8Array, name: string): Uint8Array {
  if (bytes.length > LETTERS_LIMIT)
    throw new BloomError(
      'memory',
      `${name} is JSON of ${bytes.length} bytes, which is too large`,
      'write the filter with WriteTo',
    );
  const { m, k, b } = parsed(Buffer.from(bytes).toString(), name);
  const bits = Buffer.from(b, 'base64');
  const written = new DataView(new ArrayBuffer(16 + bits.length));
  written.setBigUint64(0, BigInt(m));
  written.setBigUint64(8, BigInt(k));
  new Uint8Array(written.buffer).set(bits, 16);
  return new Uint8Array(written.buffer);
}

function parsed(text: string, name: string): { m: number; k: number; b: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(name, 'its JSON is malformed');
  }
  if (typeof value === 'object' && value !== null && 'm' in value && 'k' in value && 'b' in value) {
    const { m, k, b } = value;
    if (isWhole(m) && isWhole(k) && typeof b === 'string' && b.length % 4 === 0 && BASE64.test(b)) return { m, k, b };
  }
  throw damaged(name, 'its JSON does not describe a filter');
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
