import { damaged } from '../../errors.ts';

/** A tag of three bytes stands for 64 bytes at most. */
const GROWTH_LIMIT = 22;

/**
 * What was compressed with Snappy (google/snappy, format_description.txt): the length, and then literals and copies of what
 * came before. Throws a `format` error for what nobody has compressed.
 */
export function unsnapped(bytes: Uint8Array, name: string): Uint8Array {
  const broken = () => damaged(name, 'it cannot be decompressed');
  let at = 0;
  const number = (size: number) => {
    let value = 0;
    for (let i = 0; i < size; i++) value += (bytes[at + i] ?? 0) * 2 ** (8 * i);
    at += size;
    return value;
  };
  let length = 0;
  for (let shift = 0, more = true; more; shift += 7) {
    const byte = bytes[at++];
    if (byte === undefined || shift > 28) throw broken();
    length += (byte & 0x7f) * 2 ** shift;
    more = byte >= 0x80;
  }
  if (length > GROWTH_LIMIT * bytes.length) throw broken();
  const into = new Uint8Array(length);
  let end = 0;
  while (at < bytes.length) {
    const tag = number(1);
    const high = tag >> 2;
    if ((tag & 3) === 0) {
      const size = 1 + (high < 60 ? high : number(high - 59));
      if (size > bytes.length - at || size > length - end) throw broken();
      into.set(bytes.subarray(at, at + size), end);
      at += size;
      end += size;
      continue;
    }
    const isShort = (tag & 3) === 1;
    const size = isShort ? 4 + (high & 7) : 1 + high;
    const back = isShort ? (high >> 3) * 256 + number(1) : number((tag & 3) === 2 ? 2 : 4);
    if (back === 0 || back > end || size > length - end) throw broken();
    // It may overlap what it makes.
    for (let i = 0; i < size; i++, end++) into[end] = into[end - back] ?? 0;
  }
  if (end < length) throw broken();
  return into;
}
