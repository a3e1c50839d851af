import { BloomError, damaged } from '../../errors.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import { fuseImage } from '../../filters/slots-of-others.ts';
import { displayName } from '../../io/look.ts';
import type { ByteSource } from '../../io/source.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { wholeFile } from '../whole-file.ts';

/** Since 2022, a u32 with the number of keys follows the seed. */
const HEADER_BYTES = [24, 28] as const;

/** Bytes after the slots of 16 bits in images of old releases. */
const UNUSED_BYTES = 4;

interface Fields {
  readonly headerBytes: number;
  readonly seed: bigint;
  readonly segmentSlots: number;
  readonly firstSlots: number;
  readonly slots: number;
}

/** The fields of a header of this length. Undefined if no filter has such numbers. */
function fieldsOf(head: DataView, headerBytes: number): Fields | undefined {
  const u32 = (fromEnd: number) => head.getUint32(headerBytes - fromEnd, true);
  const [segmentSlots, segments, firstSlots, slots] = [u32(16), u32(12), u32(8), u32(4)];
  const isPowerOf2 = segmentSlots > 0 && (segmentSlots & (segmentSlots - 1)) === 0;
  if (!isPowerOf2 || segments === 0 || firstSlots !== segments * segmentSlots) return undefined;
  if (slots !== (segments + 2) * segmentSlots) return undefined;
  return { headerBytes, seed: head.getBigUint64(0, true), segmentSlots, firstSlots, slots };
}

export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const whole = await wholeFile(source, name);
  const longest = whole.size < 28 ? padded(whole.read(0, whole.size)) : whole.read(0, 28);
  const known = HEADER_BYTES.flatMap((bytes) => fieldsOf(longest, bytes) ?? []);
  const [fields] = known;
  if (fields === undefined) throw none(name);
  const fitting = known.flatMap((some) => {
    const slotBytes = slotBytesOf(some, whole.size);
    return slotBytes === undefined ? [] : [{ ...some, slotBytes }];
  });
  const [filter] = fitting;
  if (filter === undefined)
    throw damaged(name, `it has ${whole.size} bytes, which do not fit ${fields.slots} slots of 8 or 16 bits`);
  const { headerBytes, seed, segmentSlots, firstSlots, slots, slotBytes } = filter;
  const bytes = slots * slotBytes;
  const bits = 8 * bytes;
  const constants = [seed, ...[segmentSlots, firstSlots, slotBytes - 1].map(BigInt)];
  const shape: BitArrayShape = { bits, k: 3, rule: 'binary-fuse', order: 'bytes', constants };
  return {
    layout: 'arrays',
    name,
    description: {
      format,
      kind: fuseImage,
      shape: { bits, segments: 1, segmentBits: bits, k: 8 * slotBytes },
      rules: { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false },
      target: undefined,
      inserted: undefined,
      bytes: whole.size,
    },
    ...whole.arrays([{ shape, offset: headerBytes, bytes }]),
    verified: undefined,
    close: () => source.close(),
  };
}

/** Bytes per slot in a file of this size. */
function slotBytesOf({ headerBytes, slots }: Fields, size: number): 1 | 2 | undefined {
  const rest = size - headerBytes;
  if (rest === slots) return 1;
  return rest === 2 * slots || rest === 2 * slots + UNUSED_BYTES ? 2 : undefined;
}

function padded(head: DataView): DataView {
  const bytes = new Uint8Array(HEADER_BYTES[1]);
  bytes.set(new Uint8Array(head.buffer, head.byteOffset, head.byteLength));
  return new DataView(bytes.buffer);
}

function none(name: string): BloomError {
  return new BloomError(
    'format',
    `${name} is not an image of a binary fuse filter`,
    'leave out --format, and bloom detects the format',
  );
}
