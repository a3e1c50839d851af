import { BloomError, OutdatedCopy } from '../../errors.ts';
import { ChangedOnServer, type FileVersion, isSame, type RemoteBytes, readRange } from './answers.ts';
import type { Client } from './client.ts';
import { type CopiedPiece, type Copies, pieceWith } from './copies.ts';
import { createExpectedReads } from './expected-reads.ts';
import { createPacemaker } from './pace.ts';
import type { ByteRange } from './range-plan.ts';

/** A file on a server that is read at any position. */
export interface RemoteFile {
  /** Returns the size of the file in bytes. */
  open(): Promise<number>;
  /** Reads `length` bytes from a position. The result is shorter only at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  /** Keeps a copy of what was read so far. From now on only what is expected is read ahead. */
  keep(): void;
  /**
   * Begins to fetch ranges that will be read. Returns one byte per range: 1 if its read does not wait for the server.
   */
  expect(ranges: readonly ByteRange[]): Uint8Array;
}

/** Bytes of the first read. Together with a segment of 16 KiB, they are less than 32 KiB. */
const HEAD_BYTES = 15 * 2 ** 10;

/** The fewest bytes of a further read before `keep`: the end of a file may show whether it is a filter. */
const AHEAD = 2 ** 16;

/** The most bytes that are held in memory before `keep`. */
const HELD_LIMIT = 2 ** 26;

/**
 * The file of a client. The parts in a trusted copy are not requested. Other copies are used once the first answer confirms their
 * version. `onArrival` is called when an expected range has arrived.
 */
export function createRemoteFile(
  client: Client,
  copies: Copies,
  isTrusted: boolean,
  onArrival: () => void = () => {},
): RemoteFile {
  const found = copies.find();
  let copy = isTrusted ? found : undefined;
  let version: FileVersion | undefined = copy?.version;
  let isConfirmed = copy === undefined;
  let isCertain = false;
  let isOpened = false;
  let pieces = copy?.pieces ?? [];
  const wanted: ByteRange[] = [];
  const pacemaker = createPacemaker();

  const fetch = async (from: number, to: number): Promise<RemoteBytes> => {
    try {
      const answer = await readRange(client, from, to, version, pacemaker);
      version ??= answer.version;
      isConfirmed = true;
      isCertain = answer.isCertain && !answer.isWhole;
      return answer;
    } catch (error) {
      if (!(error instanceof ChangedOnServer)) throw error;
      if (isConfirmed)
        throw new BloomError(
          'changed',
          `cannot read ${client.name}: it changed while it was read`,
          'run the command again',
        );
      copies.drop();
      throw new OutdatedCopy(`${client.name} has changed since bloom copied its table`, 'run the command again');
    }
  };
  const fetchExpected = async ({ from, to }: ByteRange) => (await fetch(from, to)).bytes;
  const expected = createExpectedReads(fetchExpected, pacemaker.now, onArrival);
  const within = ({ from, to }: ByteRange): ByteRange => {
    const size = version?.size ?? 0;
    return { from: Math.min(from, size), to: Math.min(to, size) };
  };
  /** Ranges that were expected before `keep`, and whether their reads have ended. */
  const begun = new Map<string, boolean>();
  /** The errors of those that failed, for their reads. */
  const failures = new Map<string, unknown>();
  const nameOf = ({ from, to }: ByteRange) => `${from}-${to}`;
  const beginRead = (range: ByteRange) => {
    const name = nameOf(range);
    begun.set(name, false);
    void file
      .read(range.from, range.to - range.from)
      .catch((error: unknown) => void failures.set(name, error))
      .then(() => {
        begun.set(name, true);
        onArrival();
      });
  };
  const isHeld = ({ from, to }: ByteRange) => from === to || (isConfirmed && pieceWith(pieces, from, to) !== undefined);
  const file: RemoteFile = {
    async open() {
      if (version !== undefined) return version.size;
      const answer = await fetch(0, HEAD_BYTES);
      pieces = [{ position: 0, bytes: answer.bytes }];
      if (found !== undefined && isCertain && isSame(answer.version, found.version)) {
        copy = found;
        pieces = [...pieces, ...found.pieces];
      }
      return answer.version.size;
    },
    async read(position, length) {
      const { from, to } = within({ from: position, to: position + length });
      if (from === to) return new Uint8Array(0);
      const name = nameOf({ from, to });
      if (failures.has(name)) {
        const error = failures.get(name);
        failures.delete(name);
        throw error;
      }
      if (!isOpened) wanted.push({ from, to });
      const held = pieceWith(pieces, from, to);
      // Parts of the copy are returned after `keep` only if the server has confirmed the version. Other parts of the
      // copy say nothing about the present file.
      if (held !== undefined && (isConfirmed || !isOpened)) return held;
      if (isOpened) return expected.take({ from, to }) ?? fetchExpected({ from, to });
      const size = version?.size ?? 0;
      // A read near the end of the file includes the bytes before it, so that the end is one piece.
      const first = Math.max(0, Math.min(from, size - AHEAD));
      const { bytes } = await fetch(first, Math.min(size, Math.max(to, first + AHEAD)));
      pieces = heldWith(pieces, { position: first, bytes });
      return bytes.subarray(from - first, to - first);
    },
    keep() {
      if (isOpened) return;
      isOpened = true;
      if (copy !== undefined || !isCertain || version === undefined || version.size <= HEAD_BYTES) return;
      const kept = wanted.flatMap(({ from, to }) => {
        const bytes = pieceWith(pieces, from, to);
        return bytes === undefined ? [] : [{ position: from, bytes }];
      });
      copies.keep({ version, pieces: kept });
    },
    expect(ranges) {
      const clipped = ranges.map(within);
      if (!isOpened) {
        for (const range of clipped) if (range.from < range.to && !begun.has(nameOf(range))) beginRead(range);
        return Uint8Array.from(clipped, (range) =>
          range.from === range.to || begun.get(nameOf(range)) === true ? 1 : 0,
        );
      }
      const there = new Uint8Array(ranges.length).fill(1);
      const missing = [...clipped.keys()].filter((i) => !isHeld(clipped[i] as ByteRange));
      const arrived = expected.expect(missing.map((i) => clipped[i] as ByteRange));
      for (const [j, i] of missing.entries()) there[i] = arrived[j] ?? 1;
      return there;
    },
  };
  return file;
}

/** Adds a piece, or keeps only the new piece if all together would have too many bytes. */
function heldWith(pieces: readonly CopiedPiece[], piece: CopiedPiece): readonly CopiedPiece[] {
  const all = [...pieces, piece];
  return all.reduce((sum, { bytes }) => sum + bytes.length, 0) > HELD_LIMIT ? [piece] : all;
}
