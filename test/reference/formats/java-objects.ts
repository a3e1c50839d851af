// Filters as serialized Java objects, and the same filters as their `writeTo` writes them. The bytes follow real files.

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const fieldOf = (text: string) =>
  Buffer.concat([latin1(String.fromCharCode(text.length >> 8, text.length & 255)), latin1(text)]);
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/** An array of longs: its class, with this version and without fields, superclass and annotations. */
const LONGS = latin1('ur\0\x02[J\x78\x20\x04\xb5\x12\xb1\x75\x93\x02\0\0xp');

export const isSerialized = (file: Uint8Array) => file[0] === 0xac && file[1] === 0xed;

/** The bytes that Guava's `writeTo` would write for the filter in an object. */
export function guavaInside(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file);
  const at = bytes.indexOf(LONGS);
  const k = bytes.readInt32BE(at - 4);
  const words = at + LONGS.length;
  const length = 4 + 8 * bytes.readInt32BE(words);
  const isNew = bytes.toString('latin1').endsWith('MITZ_64');
  return new Uint8Array(Buffer.concat([Buffer.of(isNew ? 1 : 0, k), bytes.subarray(words, words + length)]));
}

/** The serialized forms of funnels: a constant of an enum, and strings in a charset. */
export const constantFunnel = (className: string) =>
  Buffer.concat([
    latin1('~r'),
    fieldOf(className),
    latin1('\0\0\0\0\0\0\0\0\x12\0\0xr'),
    fieldOf('java.lang.Enum'),
    latin1('\0\0\0\0\0\0\0\0\x12\0\0xpt'),
    fieldOf('INSTANCE'),
  ]);
export const charsetFunnel = (charset: string) =>
  Buffer.concat([
    latin1('sr'),
    fieldOf('com.google.common.hash.Funnels$StringCharsetFunnel$SerializedForm'),
    latin1('\0\0\0\0\0\0\0\0\x02\0\x01L'),
    fieldOf('charsetCanonicalName'),
    latin1('t'),
    fieldOf('Ljava/lang/String;'),
    latin1('xpt'),
    fieldOf(charset),
  ]);

/** The object of a Guava filter, from the bytes that `writeTo` wrote. */
export function guavaObject(file: Uint8Array, funnel: Uint8Array): Uint8Array {
  const [strategy, k = 0] = file;
  return new Uint8Array(
    Buffer.concat([
      latin1('\xac\xed\0\x05sr'),
      fieldOf('com.google.common.hash.BloomFilter$SerialForm'),
      latin1('\0\0\0\0\0\0\0\x01\x02\0\x04'),
      latin1('I'),
      fieldOf('numHashFunctions'),
      latin1('['),
      fieldOf('data'),
      latin1('t'),
      fieldOf('[J'),
      latin1('L'),
      fieldOf('funnel'),
      latin1('t'),
      fieldOf('Lcom/google/common/hash/Funnel;'),
      latin1('L'),
      fieldOf('strategy'),
      latin1('t'),
      fieldOf('Lcom/google/common/hash/BloomFilter$Strategy;'),
      latin1('xp'),
      int32(k),
      LONGS,
      file.subarray(2),
      funnel,
      latin1('~r'),
      fieldOf('com.google.common.hash.BloomFilterStrategies'),
      latin1('\0\0\0\0\0\0\0\0\x12\0\0xq\0~\0\x08t'),
      fieldOf(strategy === 1 ? 'MURMUR128_MITZ_64' : 'MURMUR128_MITZ_32'),
    ]),
  );
}

const SPARK = 'org.apache.spark.util.sketch.BloomFilterImpl';

/** The bytes that Spark's `writeTo` would write for the filter in an object, which has them in pieces. */
export function sparkInside(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file);
  const pieces: Buffer[] = [];
  for (let at = bytes.indexOf('xp', 6 + SPARK.length) + 2; bytes[at] !== 0x78; ) {
    const [start, length] =
      bytes[at] === 0x77 ? [at + 2, bytes.readUInt8(at + 1)] : [at + 5, bytes.readInt32BE(at + 1)];
    pieces.push(bytes.subarray(start, start + length));
    at = start + length;
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** The object of a Spark filter, from the bytes that `writeTo` wrote, in pieces of `pieceBytes` bytes. */
export function sparkObject(file: Uint8Array, pieceBytes = 1024): Uint8Array {
  const name = file[3] === 1 ? SPARK : `${SPARK}V2`;
  const pieces: Uint8Array[] = [latin1('\xac\xed\0\x05sr'), fieldOf(name), latin1('VERSION!\x03\0\0xp')];
  for (let at = 0; at < file.length; at += pieceBytes) {
    const piece = file.subarray(at, at + pieceBytes);
    pieces.push(
      piece.length < 256 ? Buffer.of(0x77, piece.length) : Buffer.concat([Buffer.of(0x7a), int32(piece.length)]),
      piece,
    );
  }
  return new Uint8Array(Buffer.concat([...pieces, latin1('x')]));
}
