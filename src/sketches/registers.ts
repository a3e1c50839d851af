import { PLACE_BITS } from './sketch.ts';

/** The description of the registers in the file of a sketch. */
export interface RegisterLayout {
  readonly logRegisters: number;
  readonly type: keyof typeof TYPES;
  /** The least rank. Registers of 4 bits count from this rank. */
  readonly least: number;
  /** The logarithm of the positions in the table of exceptions, if the file is not compact. */
  readonly logExceptions: number;
  readonly isCompact: boolean;
}

/** The layout per register type: the bytes of `size` registers, and the reader of register i. */
const TYPES = {
  0: { bytes: (size: number) => size / 2, read: nibble },
  1: { bytes: (size: number) => (size * 3) / 4 + 1, read: sixBits },
  2: { bytes: (size: number) => size, read: (bytes: Uint8Array, i: number) => bytes[i] ?? 0 },
};

/** The offset of the registers in a file. */
export const REGISTERS_START = 40;
const EXCEPTIONS_AT = 36;

export const LARGEST_RANK = 63;
const LARGEST_LOG_EXCEPTIONS = 18;

/** The 4 bits of a register whose rank is an exception. */
const EXCEPTION = 15;

/** The registers of a sketch as one byte each, from its file; or a text about the damage. */
export function readRegisters(bytes: Uint8Array, layout: RegisterLayout): Uint8Array | string {
  const size = 2 ** layout.logRegisters;
  const { bytes: bytesOf, read } = TYPES[layout.type];
  const end = REGISTERS_START + bytesOf(size);
  if (bytes.length < end) return `its registers need ${end - REGISTERS_START} bytes, and the file has ${bytes.length}`;
  const stored = bytes.subarray(REGISTERS_START, end);
  const registers = Uint8Array.from({ length: size }, (_, i) => read(stored, i));
  if (layout.type === 0) return withExceptions(registers, bytes, end, layout);
  if (bytes.length > end) return `it has ${bytes.length} bytes instead of ${end}`;
  return registers.some((rank) => rank > LARGEST_RANK) ? 'a rank is too large' : registers;
}

function nibble(bytes: Uint8Array, i: number): number {
  const byte = bytes[i >> 1] ?? 0;
  return i & 1 ? byte >> 4 : byte & 15;
}

function sixBits(bytes: Uint8Array, i: number): number {
  const at = 6 * i;
  const pair = (bytes[at >> 3] ?? 0) | ((bytes[(at >> 3) + 1] ?? 0) << 8);
  return (pair >> (at & 7)) & LARGEST_RANK;
}

/** Adds the least rank to registers of 4 bits, and puts in the ranks of the exceptions. */
function withExceptions(
  registers: Uint8Array,
  bytes: Uint8Array,
  start: number,
  { least, logExceptions, isCompact, logRegisters }: RegisterLayout,
): Uint8Array | string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = view.getUint32(EXCEPTIONS_AT, true);
  const left = bytes.length - start;
  // An empty table may be missing.
  const positions = isCompact ? count : count === 0 ? left / 4 : 2 ** logExceptions;
  if (4 * positions !== left || positions > 2 ** LARGEST_LOG_EXCEPTIONS)
    return `its exceptions do not fit ${left} bytes`;
  const exceptions = new Map<number, number>();
  for (let i = 0; i < positions; i++) {
    const exception = view.getUint32(start + 4 * i, true);
    if (exception !== 0) exceptions.set(exception & (2 ** logRegisters - 1), exception >>> PLACE_BITS);
  }
  if (exceptions.size !== count) return 'it has a wrong number of exceptions';
  let met = 0;
  for (const [i, above] of registers.entries()) {
    const isException = above === EXCEPTION;
    const rank = isException ? (exceptions.get(i) ?? 0) : least + above;
    if (rank > LARGEST_RANK) return 'a rank is too large';
    if (isException && rank < least + EXCEPTION) return 'an exception is missing or superfluous';
    if (isException) met++;
    registers[i] = rank;
  }
  return met === count ? registers : 'an exception refers to a missing register';
}
