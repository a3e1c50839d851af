// The JSON that bits-and-blooms makes of a filter: {"m":M,"k":K,"b":"…"}, where b is the rest of what `WriteTo` writes, in base64
// with the letters of URLs, or with the usual ones.

import { BloomError, damaged } from '../../errors.ts';

const START = /^\s*\{\s*"m"\s*:\s*(\d+)\s*,\s*"k"\s*:\s*(\d+)\s*,\s*"b"\s*:\s*"/;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Letters that a string of Node can have. */
const LETTERS_LIMIT = 2 ** 29 - 32;

/** Whether a file may be such JSON: by its first bytes and, where that is known, its length. */
export function isJson(head: DataView, size: number | undefined): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const [start, m = ''] = START.exec(text) ?? [];
  if (start === undefined || size === undefined) return start !== undefined;
  const bytes = 8 + 8 * Math.ceil(Number(m) / 64);
  const least = start.length + 4 * Math.ceil(bytes / 3);
  return size >= least && size <= least + head.byteLength;
}

/** What `WriteTo` would have written of the filter. Throws `format` and `memory` errors. */
export function decodeJson(bytes: Uint8Array, name: string): Uint8Array {
  if (bytes.length > LETTERS_LIMIT)
    throw new BloomError(
      'memory',
      `${name} is JSON of ${bytes.length} bytes, too many`,
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
    throw damaged(name, 'it begins as JSON and is none');
  }
  if (typeof value === 'object' && value !== null && 'm' in value && 'k' in value && 'b' in value) {
    const { m, k, b } = value;
    if (isWhole(m) && isWhole(k) && typeof b === 'string' && b.length % 4 === 0 && BASE64.test(b)) return { m, k, b };
  }
  throw damaged(name, 'its JSON is not that of a filter');
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
