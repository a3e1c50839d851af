import { damaged } from '../../errors.ts';
import { displayName } from '../../io/look.ts';
import { keepBeginning, type PositionedFile, readAt } from '../../io/positioned.ts';
import { type ByteSource, readFully } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentBytes } from '../../sizing/geometry.ts';
import { type Checksum, checksumAt, kernelChecksum, portableChecksum } from '../checksum.ts';
import type { OwnDescription } from '../description.ts';
import type { LocatedSegments, SegmentedFile, StatedFills } from '../format.ts';
import { brokenSegment, endWithin } from '../stored-segments.ts';
import { seedOfTag, TAG_BYTES, tagIn } from '../tags.ts';
import {
  decodeHeader,
  fileBytes,
  HEADER_BYTES,
  type Header,
  hasNote,
  headerBytes,
  headerChecksum,
  storedBytes,
} from './header.ts';
import { decodeNote, NOTED_BYTES } from './note.ts';
import { decodeTable, type SegmentTable, tableBytes } from './segment-table.ts';

/**
 * Reads the header of a file. `describe` makes the description and refuses impossible filters. Then the stated length
 * is checked, before memory is allocated.
 */
export async function openFile(
  source: ByteSource,
  describe: (header: Header, name: string) => OwnDescription,
  kernel?: Kernel,
): Promise<SegmentedFile> {
  const name = displayName(source.name);
  const checksum = kernel === undefined ? portableChecksum : kernelChecksum(kernel);
  const { head, header } = await readHeader(source, name, checksum);
  const description = describe(header, name);
  if (source.size !== undefined) checkSize(name, header, source.size);
  const file: OpenedFile = { name, description, header, checksum: headerChecksum(head) };
  return {
    layout: 'segments',
    name,
    description,
    locate: (kernel) => (source.file === undefined ? undefined : locateSegments(file, source.file, kernel)),
    ...readInOrder(file, source),
    close: () => source.close(),
  };
}

/** The header of a file and its note. */
async function readHeader(
  source: ByteSource,
  name: string,
  checksum: Checksum,
): Promise<{ head: Uint8Array; header: Header }> {
  const head = new Uint8Array(HEADER_BYTES);
  const header = await decodeHeader(head.subarray(0, await readFully(source, head)), name, checksum);
  if (!hasNote(head)) return { head, header };
  const bytes = new Uint8Array(NOTED_BYTES);
  bytes.set(head);
  const read = await readFully(source, bytes.subarray(HEADER_BYTES));
  const note = await decodeNote(bytes.subarray(0, HEADER_BYTES + read), name, checksum);
  return { head, header: { ...header, note } };
}

/** A file whose header was read and is intact. */
interface OpenedFile {
  readonly name: string;
  readonly description: OwnDescription;
  readonly header: Header;
  /** The checksum of the header. It ties the table to the header. */
  readonly checksum: bigint;
}

function readInOrder(
  { name, description, header, checksum: headerChecksum }: OpenedFile,
  source: ByteSource,
): Pick<SegmentedFile, 'readSegment' | 'finish'> {
  const checksums: bigint[] = [];
  return {
    async readSegment(kernel, address) {
      const length = segmentBytes(header);
      const read = await readFully(source, kernel.bytes(address, length));
      const tag = new Uint8Array(header.isTagged ? TAG_BYTES : 0);
      if (read !== length || (await readFully(source, tag)) !== tag.length)
        throw damaged(name, endWithin(checksums.length, header.segments));
      const seed = header.isTagged ? seedOfTag(headerChecksum, checksums.length) : 0n;
      const checksum = checksumAt(kernel, address, length, seed);
      if (header.isTagged && tagIn(tag) !== checksum)
        throw damaged(name, brokenSegment(checksums.length, header.segments, true));
      checksums.push(checksum);
      return header.isTagged ? undefined : checksum;
    },
    async finish(kernel) {
      const bytes = new Uint8Array(tableBytes(header.segments));
      if ((await readFully(source, bytes)) !== bytes.length) throw damaged(name, 'it ends within its table');
      const table = wholeTable(kernel, name, bytes, headerChecksum);
      const wrong = table.checksums.findIndex((expected, i) => checksums[i] !== expected);
      if (wrong >= 0) throw damaged(name, brokenSegment(wrong, header.segments));
      if ((await readFully(source, new Uint8Array(1))) !== 0) throw damaged(name, 'it has more bytes after its end');
      return statedFills(description, name, table);
    },
  };
}

function locateSegments(
  { name, description, header, checksum }: OpenedFile,
  file: PositionedFile,
  kernel: Kernel,
): LocatedSegments {
  const begin = headerBytes(header.note);
  const readTable = (): SegmentTable => {
    const bytes = new Uint8Array(tableBytes(header.segments));
    readAt(file, bytes, begin + storedBytes(header, header.isTagged));
    return wholeTable(kernel, name, bytes, checksum);
  };
  const segments = { file, begin, count: header.segments, segmentBytes: segmentBytes(header) };
  if (header.isTagged) {
    // Tags verify the segments, so only a report reads the table.
    keepBeginning(file);
    const stored = { ...segments, checksums: undefined, tagged: checksum };
    return { stored, fills: () => statedFills(description, name, readTable())() };
  }
  const table = readTable();
  keepBeginning(file);
  return { stored: { ...segments, checksums: table.checksums }, fills: statedFills(description, name, table) };
}

/** How full the segments are according to the table. Only the kind understands the numbers. */
function statedFills({ kind }: OwnDescription, name: string, { fill }: SegmentTable): StatedFills {
  return () =>
    fill.map((packed, i) => {
      if (Number.isSafeInteger(packed)) return kind.unpackFill(packed);
      throw damaged(name, `its table states an impossible fill of segment ${i + 1}`);
    });
}

/** Throws a `format` error for a table that is damaged or belongs to another header. */
function wholeTable(kernel: Kernel, name: string, bytes: Uint8Array, headerChecksum: bigint): SegmentTable {
  const table = decodeTable(kernel, bytes, headerChecksum);
  if (table === undefined) throw damaged(name, 'its table of checksums does not match its header, which is intact');
  return table;
}

/** Throws a `format` error if the size of the file differs from its header. */
function checkSize(name: string, header: Header, size: number): void {
  const expected = fileBytes(header, header.note, header.isTagged ?? false);
  if (size !== expected) throw damaged(name, `it has ${size} bytes instead of the ${expected} of its header`);
}
