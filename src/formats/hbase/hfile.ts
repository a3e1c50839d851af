// The structure of an HFile: its trailer, its properties and the metadata of its filter.

import { BloomError, damaged } from '../../errors.ts';
import { type PositionedFile, readAt } from '../../io/positioned.ts';
import { type Kernel, loadKernel } from '../../kernel/kernel.ts';
import { readMessage } from '../protobuf.ts';
import { createBlockReader, type StoredBlock } from '../stored-blocks.ts';
import { createVarints } from '../varints.ts';
import { BLOCK_HEADER_BYTES, type BlockCodec, type BlockHeader, blockHeader } from './block.ts';

/** Bytes of the trailer of version 3. */
const TRAILER_BYTES = 4096;
const TRAILER_MAGIC = 'TRABLK"$';
const VERSION = 3;

/** Fields of the trailer. */
const LOAD_ON_OPEN = 2;
const CODEC = 12;
const ENCRYPTION_KEY = 13;

/** Compressions of blocks by their numbers, and their names for messages. */
const CODECS: Readonly<Record<number, BlockCodec>> = { 1: 'gzip', 2: 'none' };
const CODEC_NAMES = ['LZO', 'GZ', 'NONE', 'SNAPPY', 'LZ4', 'BZIP2', 'ZSTD', 'LZMA', 'BROTLI'];

/** An open HFile. */
export interface HFile {
  readonly file: PositionedFile;
  /** The blocks that are read when the file is opened, by their first letters. */
  readonly blocks: ReadonlyMap<string, StoredBlock>;
  /** The content of a block. */
  read(block: StoredBlock): Uint8Array;
  /** The block at an offset, and its header. */
  blockAt(offset: number, label: string): { readonly block: StoredBlock; readonly header: BlockHeader };
}

/** Opens an HFile of version 3. Throws `input` errors, and a `format` error for other files. */
export function openHFile(file: PositionedFile, kernel: Kernel = loadKernel()): HFile {
  const { codec, loadOnOpen } = readTrailer(file);
  const end = file.size - TRAILER_BYTES;
  const blockAt = (offset: number, label: string) => {
    const name = `${file.name}: ${label}`;
    const bytes = new Uint8Array(BLOCK_HEADER_BYTES);
    if (offset > end - bytes.length) throw damaged(name, 'it is outside the file');
    readAt(file, bytes, offset);
    const header = blockHeader(new DataView(bytes.buffer), codec, end - offset, name);
    const wrapping = { system: 'hbase', magic: header.magic, codec } as const;
    return { header, block: { label, offset, bytes: header.bytes, wrapping } };
  };
  const blocks = new Map<string, StoredBlock>();
  for (let offset = loadOnOpen; offset < end; ) {
    const { block, header } = blockAt(offset, `the block at byte ${offset}`);
    if (!blocks.has(header.magic)) blocks.set(header.magic, block);
    offset += block.bytes;
  }
  return { file, blocks, read: createBlockReader(file, kernel), blockAt };
}

/** The trailer: the compression of blocks, and the offset of those that are read when the file is opened. */
function readTrailer(file: PositionedFile): { codec: BlockCodec; loadOnOpen: number } {
  const { name, size } = file;
  const trailer = new Uint8Array(TRAILER_BYTES);
  if (size < TRAILER_BYTES) throw damaged(name, 'it ends within its trailer');
  readAt(file, trailer, size - TRAILER_BYTES);
  const version = new DataView(trailer.buffer).getUint32(TRAILER_BYTES - 4) & 0xffffff;
  const isTrailer = Buffer.from(trailer.subarray(0, 8)).toString('latin1') === TRAILER_MAGIC;
  if (!isTrailer && version !== 2) throw damaged(name, 'its end is not the trailer of an HFile');
  if (version !== VERSION)
    throw new BloomError('format', `${name} is an HFile of version ${version}, which bloom cannot read`, REWRITE);
  const input = createVarints(trailer.subarray(TRAILER_MAGIC.length), `${name}: its trailer`);
  let [number, loadOnOpen, isEncrypted] = [2, 0n, false];
  readMessage(input.bytes(input.varint()), `${name}: its trailer`, {
    [LOAD_ON_OPEN]: (value) => {
      loadOnOpen = value.number();
    },
    [CODEC]: (value) => {
      number = Number(value.number());
    },
    [ENCRYPTION_KEY]: () => {
      isEncrypted = true;
    },
  });
  if (isEncrypted) throw new BloomError('format', `${name} is an encrypted HFile, which bloom cannot read`, REWRITE);
  const codec = CODECS[number];
  if (codec === undefined)
    throw new BloomError(
      'format',
      `${name} is compressed with ${CODEC_NAMES[number] ?? `codec ${number}`}, which bloom cannot read`,
      REWRITE,
    );
  if (loadOnOpen > BigInt(size)) throw damaged(name, 'its trailer states an offset outside the file');
  return { codec, loadOnOpen: Number(loadOnOpen) };
}

const REWRITE = 'set COMPRESSION to NONE or GZ in HBase, and compact the table';

/** The letters before properties. */
const PROPERTIES_MAGIC = 'PBUF';

/** The properties of the file by their names. */
export function readProperties({ file, blocks, read }: HFile): ReadonlyMap<string, Uint8Array> {
  const block = blocks.get('FILEINF2');
  const name = `${file.name}: its properties`;
  if (block === undefined) throw damaged(file.name, 'it has no properties');
  const input = createVarints(read(block), name);
  if (Buffer.from(input.bytes(4n)).toString('latin1') !== PROPERTIES_MAGIC)
    throw damaged(name, `they do not begin with ${PROPERTIES_MAGIC}`);
  const properties = new Map<string, Uint8Array>();
  readMessage(input.bytes(input.varint()), name, {
    1: (pair) => {
      let [key, value] = ['', new Uint8Array()];
      pair.message({
        1: (part) => {
          key = Buffer.from(part.bytes()).toString('latin1');
        },
        2: (part) => {
          value = part.bytes().slice();
        },
      });
      properties.set(key, value);
    },
  });
  return properties;
}
