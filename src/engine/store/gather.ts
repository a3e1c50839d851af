import { damaged } from '../../errors.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import { type KeyRules, type OwnDescription, withNetworksOf } from '../../formats/description.ts';
import type { FilterFile, SegmentedFile } from '../../formats/format.ts';
import type { Note } from '../../formats/note.ts';
import { endWithin, type StoredSegments, strideOf, verifyStored } from '../../formats/stored-segments.ts';
import { TAG_BYTES } from '../../formats/tags.ts';
import { readAtLater } from '../../io/positioned.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { payloadBytes, segmentBytes } from '../../sizing/geometry.ts';
import type { Meter } from '../input/progress.ts';
import { segmented } from './merge.ts';
import { areAlike, notesOf } from './union.ts';

/** A union of filters with the same parameters. Each filter is added to the union as it comes, so that none stays open. */
export interface Gathering {
  /**
   * Adds a filter like the first one, and closes its file once it is read; returns false for a different filter. Throws `input` and
   * `format` errors.
   */
  add(file: FilterFile): Promise<boolean>;
  /** The union of all added filters, which can be read like a file. */
  union(): Promise<SegmentedFile>;
  /** Closes the files that are being read. */
  close(): Promise<void>;
}

/** Whether filters like this one can be gathered: neither their order nor their number matters. */
function canGather({ kind, shape }: OwnDescription, mostBytes: number): boolean {
  const { abilities, refuses } = kind;
  const isUnion = abilities.includes('union') && !refuses;
  return isUnion && shape.share === undefined && payloadBytes(shape) <= mostBytes;
}

/** Some segments of a file, which are read to an address. */
interface Piece {
  readonly file: SegmentedFile;
  readonly stored: StoredSegments;
  readonly from: number;
  readonly count: number;
  readonly address: number;
  readonly reading: Promise<number>;
}

/** The number of pieces that are read while another piece is merged, and their bytes. A larger segment is a piece by itself. */
const PIECES = 4;
const PIECE_BYTES = 2 ** 21;

/**
 * Begins an empty union for filters with the parameters of the first filter, of at most `mostBytes` bytes. Undefined if the filter cannot
 * be gathered.
 */
export function createGathering(
  kernel: Kernel,
  file: FilterFile,
  mostBytes: number,
  onGathered: Meter,
): Gathering | undefined {
  const [first] = segmented(file);
  return first !== undefined && canGather(first.description, mostBytes)
    ? gatheringOf(kernel, first, onGathered)
    : undefined;
}

function gatheringOf(kernel: Kernel, first: SegmentedFile, onGathered: Meter): Gathering {
  const { kind, shape } = first.description;
  const bytes = segmentBytes(shape);
  const ofPiece = Math.max(1, Math.min(shape.segments, Math.floor(PIECE_BYTES / bytes)));
  const gathered = kernel.reserve(payloadBytes(shape));
  const work = kind.attach(kernel, shape, { call: kernel.reserve(CALL_BYTES), drafts: 0 });
  const free = Array.from({ length: PIECES }, () => kernel.reserve(ofPiece * (bytes + TAG_BYTES)));
  const pieces: Piece[] = [];
  const merged: KeyRules[] = [first.description.rules];
  let inserted: number | undefined = 0;
  let note: Note | undefined;

  const merge = (segment: number, from: number) => work.mergeFrom?.(gathered + segment * bytes, from, shape);
  const mergeFirst = async () => {
    const piece = pieces[0];
    if (piece === undefined) return;
    const { file, stored, from, count, address } = piece;
    const read = await piece.reading;
    pieces.shift();
    const stride = strideOf(stored);
    for (let i = 0; i < count; i++) {
      const at = address + i * stride;
      if (read < (i + 1) * stride) throw damaged(file.name, endWithin(from + i, shape.segments));
      verifyStored(stored, from + i, kernel, at, kernel.bytes(at, stride).subarray(bytes));
      merge(from + i, at);
    }
    free.push(address);
    if (from + count === shape.segments) file.close();
    await onGathered(count * bytes);
  };
  const mergeAll = async () => {
    while (pieces.length > 0) await mergeFirst();
  };
  const readAhead = async (file: SegmentedFile, stored: StoredSegments) => {
    for (let from = 0; from < shape.segments; from += ofPiece) {
      if (free.length === 0) await mergeFirst();
      const address = free.pop() ?? 0;
      const count = Math.min(ofPiece, shape.segments - from);
      const stride = strideOf(stored);
      const reading = readAtLater(stored.file, kernel.bytes(address, count * stride), stored.begin + from * stride);
      // A read may fail while another read is awaited.
      reading.catch(() => {});
      pieces.push({ file, stored, from, count, address, reading });
    }
  };
  const readInOrder = async (file: SegmentedFile) => {
    await mergeAll();
    const [address = 0] = free;
    for (let segment = 0; segment < shape.segments; segment++) {
      await file.readSegment(kernel, address);
      merge(segment, address);
      await onGathered(bytes);
    }
    await file.finish(kernel);
    file.close();
  };
  return {
    async add(given) {
      const [file] = segmented(given);
      if (file === undefined || !areAlike(first, file)) return false;
      const { inserted: some, rules } = file.description;
      merged.push(rules);
      note = notesOf([{ note }, file.description]);
      inserted = inserted === undefined || some === undefined ? undefined : inserted + some;
      const located = file.locate(kernel);
      await (located === undefined ? readInOrder(file) : readAhead(file, located.stored));
      return true;
    },
    async union() {
      await mergeAll();
      return inMemory(
        {
          ...first,
          description: withNetworksOf({ ...first.description, inserted, note }, merged),
        },
        (segment) => kernel.bytes(gathered + segment * bytes, bytes),
      );
    },
    async close() {
      await Promise.allSettled(pieces.map(({ reading }) => reading));
      for (const file of new Set(pieces.splice(0).map((piece) => piece.file))) file.close();
    },
  };
}

/** A filter that was read to its end, with its segments in memory. */
function inMemory(
  file: Pick<SegmentedFile, 'name' | 'description'>,
  bytesOf: (segment: number) => Uint8Array,
): SegmentedFile {
  let next = 0;
  return {
    layout: 'segments',
    name: file.name,
    description: file.description,
    locate: () => undefined,
    async readSegment(kernel, address) {
      const bytes = bytesOf(next++);
      kernel.bytes(address, bytes.length).set(bytes);
    },
    finish: async () => undefined,
    close() {},
  };
}
