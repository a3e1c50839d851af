/** Converts the text of a key in a record to the bytes that are hashed. */
export interface Encoding {
  /** The loop of the kernel: (spans, count, to, parameters). */
  readonly entry:
    | 'encodeIntegers'
    | 'encodeFloats'
    | 'encodeDecimals'
    | 'encodeDecimalTexts'
    | 'encodeDates'
    | 'encodeTimestamps'
    | 'encodeBooleans'
    | 'encodeHex'
    | 'encodeUuids'
    | 'encodeUtf16'
    | 'encodePadded'
    | 'encodeCells'
    | 'encodeNames'
    | 'encodeNetworks';
  /** The u64 parameters of the loop. */
  readonly parameters: readonly bigint[];
  /** The most bytes of an encoded key: `key`, and `byte` per byte of its text. */
  readonly scratch: { readonly key: number; readonly byte: number };
  /** Whether whitespace around a value is removed. */
  readonly trims: boolean;
}

type Order = 'little-endian' | 'big-endian';

/** The storage of whole numbers in `bytes` bytes: those from `least` to `most`, with 0 stored as `zero`. */
function stored(bytes: number, order: Order, least: bigint, most: bigint, zero = 0n): Pick<Encoding, 'parameters'> {
  return { parameters: [BigInt(bytes), order === 'big-endian' ? 1n : 0n, most, -least, zero] };
}

const NUMBER = { scratch: { key: 8, byte: 0 }, trims: true } as const;

/** Signed whole numbers with `bits` bits. */
function signed(bits: number, order: Order, bytes = bits / 8): Encoding {
  const half = 1n << BigInt(bits - 1);
  return { entry: 'encodeIntegers', ...stored(bytes, order, -half, half - 1n), ...NUMBER };
}

/** Unsigned whole numbers with `bits` bits. */
function unsigned(bits: number, order: Order, bytes = bits / 8): Encoding {
  return { entry: 'encodeIntegers', ...stored(bytes, order, 0n, (1n << BigInt(bits)) - 1n), ...NUMBER };
}

/**
 * Floating-point numbers of `bits` bits, stored in at least as many bits. With `oneZero`, 0 also stands for -0. Every
 * NaN has the same bytes.
 */
function floats(bits: 32 | 64, order: Order, bytes = bits / 8, oneZero = false): Encoding {
  const flags = [order === 'big-endian', bits === 32, oneZero].map((flag) => (flag ? 1n : 0n));
  return { entry: 'encodeFloats', parameters: [BigInt(bytes), ...flags], ...NUMBER };
}

/** Days since 1970. */
function days(bytes: number, order: Order, zero = 0n): Encoding {
  return { entry: 'encodeDates', ...stored(bytes, order, 0n, 0n, zero), ...NUMBER };
}

/** Timestamps in units of 1/`perSecond` seconds, or as a u64 of nanoseconds and a u32 of days. */
function times(perSecond: bigint, isInt96 = false): Encoding {
  const parameters = [perSecond, isInt96 ? 1n : 0n];
  return { entry: 'encodeTimestamps', parameters, scratch: { key: 12, byte: 0 }, trims: true };
}

/**
 * Every encoding, by its name. The number after "in" is the bits in which a narrower number is stored. A key without an
 * encoding is hashed as it is written.
 */
export const ENCODINGS = {
  hex: { entry: 'encodeHex', parameters: [], scratch: { key: 0, byte: 1 }, trims: true },
  /** A domain name, however lists and logs write it. */
  domain: { entry: 'encodeNames', parameters: [], scratch: { key: 0, byte: 1 }, trims: false },
  /** An address, or a block of addresses. */
  network: { entry: 'encodeNetworks', parameters: [], scratch: { key: 17, byte: 0 }, trims: false },
  utf16le: { entry: 'encodeUtf16', parameters: [], scratch: { key: 0, byte: 2 }, trims: false },
  /** The number of characters of the column, at most 255. A key is padded with spaces to this number. */
  char: { entry: 'encodePadded', parameters: [8n], scratch: { key: 255, byte: 1 }, trims: false },
  'hbase-cell': { entry: 'encodeCells', parameters: [], scratch: { key: 12, byte: 1 }, trims: false },
  uuid: { entry: 'encodeUuids', parameters: [], scratch: { key: 16, byte: 0 }, trims: true },
  boolean: { entry: 'encodeBooleans', parameters: [], scratch: { key: 1, byte: 0 }, trims: true },
  int8: signed(8, 'little-endian'),
  int16le: signed(16, 'little-endian'),
  int16be: signed(16, 'big-endian'),
  int32le: signed(32, 'little-endian'),
  int32be: signed(32, 'big-endian'),
  int64le: signed(64, 'little-endian'),
  int64be: signed(64, 'big-endian'),
  'int8-in-64le': signed(8, 'little-endian', 8),
  'int16-in-64le': signed(16, 'little-endian', 8),
  'int32-in-64le': signed(32, 'little-endian', 8),
  'int8-in-32le': signed(8, 'little-endian', 4),
  'int16-in-32le': signed(16, 'little-endian', 4),
  'uint8-in-32le': unsigned(8, 'little-endian', 4),
  'uint16-in-32le': unsigned(16, 'little-endian', 4),
  uint32le: unsigned(32, 'little-endian'),
  uint64le: unsigned(64, 'little-endian'),
  'uint8-in-64le': unsigned(8, 'little-endian', 8),
  'uint16-in-64le': unsigned(16, 'little-endian', 8),
  'uint32-in-64le': unsigned(32, 'little-endian', 8),
  float32le: floats(32, 'little-endian'),
  float32be: floats(32, 'big-endian'),
  float64le: floats(64, 'little-endian'),
  float64be: floats(64, 'big-endian'),
  'float32-in-64le': floats(32, 'little-endian', 8),
  'float32-in-64le-one-zero': floats(32, 'little-endian', 8, true),
  'float64le-one-zero': floats(64, 'little-endian', 8, true),
  date32le: days(4, 'little-endian'),
  date64le: days(8, 'little-endian'),
  'timestamp-ms': times(1000n),
  'timestamp-us': times(1_000_000n),
  'timestamp-ns': times(1_000_000_000n),
  'timestamp-96': times(1_000_000_000n, true),
  /** Cassandra: 1970-01-01 is the middle of the range. */
  'date32be-middle': days(4, 'big-endian', 1n << 31n),
  /**
   * The number of bytes, at most 64, or 0 for as few as possible; whether the highest byte is first; digits after the
   * point.
   */
  decimal: { entry: 'encodeDecimals', parameters: [8n, 0n, 2n], scratch: { key: 64, byte: 0 }, trims: true },
  'decimal-text': { entry: 'encodeDecimalTexts', parameters: [], scratch: { key: 1, byte: 1 }, trims: true },
} as const satisfies Readonly<Record<string, Encoding>>;

export type EncodingName = keyof typeof ENCODINGS;

export function encodingNamed(name: EncodingName): Encoding {
  return ENCODINGS[name];
}
