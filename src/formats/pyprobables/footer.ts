// The footer of a file of pyprobables, and the bits and hash functions that follow from it (bloom.py,
// `_get_optimized_params`).

/** u64 n, u64 keys that were added, f32 p. */
const FOOTER_BYTES = 20;

/** The constant of the package for (ln 2)^2. */
const LN2_SQUARED = 0.4804530139182;

const START = /^[0-9a-f]{40}/i;
const END = /([0-9a-f]{40})(\s*)$/i;

export interface Footer {
  readonly capacity: bigint;
  readonly added: bigint;
  /** A 32-bit float. */
  readonly fpr: number;
  readonly bits: number;
  readonly k: number;
}

/** Bytes of a file with this many bits. */
function fileBytesOf(bits: number): number {
  return Math.ceil(bits / 8) + FOOTER_BYTES;
}

/** The footer of a file of this size, by its last bytes. Undefined if the size does not fit. */
export function binaryFooter(tail: Uint8Array, size: number): Footer | undefined {
  return footerOf(tail, size, true);
}

/** The same for a file in hexadecimal, whose numbers are big-endian. */
export function textFooter(head: Uint8Array, tail: Uint8Array, size: number): Footer | undefined {
  if (!START.test(latin1(head))) return undefined;
  const [, digits, end = ''] = END.exec(latin1(tail)) ?? [];
  return digits === undefined ? undefined : footerOf(Buffer.from(digits, 'hex'), (size - end.length) / 2, false);
}

function footerOf(tail: Uint8Array, size: number, isLittle: boolean): Footer | undefined {
  if (tail.length < FOOTER_BYTES) return undefined;
  const view = new DataView(tail.buffer, tail.byteOffset + tail.length - FOOTER_BYTES, FOOTER_BYTES);
  const capacity = view.getBigUint64(0, isLittle);
  const added = view.getBigUint64(8, isLittle);
  const fpr = view.getFloat32(16, isLittle);
  const items = Number(capacity);
  const bits = Math.ceil((-items * Math.log(fpr)) / LN2_SQUARED);
  const k = halfToEven((Math.LN2 * bits) / items);
  // Impossible numbers make a value here infinite, 0 or NaN.
  return bits > 0 && k > 0 && size === fileBytesOf(bits) ? { capacity, added, fpr, bits, k } : undefined;
}

/** Python's `round`. */
function halfToEven(x: number): number {
  const rounded = Math.round(x);
  return rounded - x === 0.5 && rounded % 2 === 1 ? rounded - 1 : rounded;
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
