// Jenkins' lookup3, after `hashlittle` of Bob Jenkins' lookup3.c (public domain), a byte at a time.

type Three = [number, number, number];

const word = (value: number) => value >>> 0;
const rotate = (value: number, by: number) => word((value << by) | (value >>> (32 - by)));

export function mixed([a, b, c]: Three): Three {
  for (const by of [4, 6, 8, 16, 19, 4]) {
    a = word(word(a - c) ^ rotate(c, by));
    c = word(c + b);
    [a, b, c] = [b, c, a];
  }
  return [a, b, c];
}

export function finished([a, b, c]: Three): number {
  for (const by of [14, 11, 25, 16, 4, 14, 24]) {
    c = word(word(c ^ b) - rotate(b, by));
    [a, b, c] = [b, c, a];
  }
  return b;
}

/** The hash of bytes, with a seed: numbers of 32 bits. */
export function lookup3(bytes: Uint8Array, seed: number): number {
  const start = word(0xdeadbeef + bytes.length + seed);
  let three: Three = [start, start, start];
  for (let at = 0; at < bytes.length; at += 12) {
    const block = bytes.subarray(at, at + 12);
    for (const [i, byte] of block.entries()) {
      const place = i >> 2;
      three[place] = word((three[place] ?? 0) + byte * 2 ** (8 * (i % 4)));
    }
    if (at + 12 >= bytes.length) return finished(three);
    three = mixed(three);
  }
  return start;
}
