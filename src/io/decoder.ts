import { BloomError, type FileRole, UnreadableInput } from '../errors.ts';
import { displayName } from './look.ts';
import type { ByteSource } from './source.ts';

/** A compressed source, as messages name it. */
export interface Encoded {
  /** The name of the source, as the user gave it. */
  readonly name: string;
  readonly content: FileRole;
  /** The name of the compression. */
  readonly compression: string;
}

/** Decompresses bytes while this thread does other work. */
export interface Decoder {
  /**
   * Copies decoded bytes into `into` and returns their number: 0 at the end, undefined if there are none yet. Throws
   * the error of `undecodable`.
   */
  take(into: Uint8Array): number | undefined;
  /** Whether the decoder accepts compressed bytes now. */
  isReady(): boolean;
  /** Gives compressed bytes to the decoder, which owns them from then on. An empty array marks the end. */
  give(bytes: Uint8Array): void;
  /** Resolves when the decoder has decoded bytes, is ready again or has failed. */
  change(): Promise<void>;
  /** Ends the decoder, even in the middle of its work. */
  close(): void;
}

/** Compressed bytes per call of `give`. */
const PIECE = 64 * 1024;

/**
 * A source of the bytes that a decoder makes from another source. Closing it closes the decoder and the other source.
 */
export function decodedBy(decoder: Decoder, source: ByteSource): ByteSource {
  const feed = createFeed(decoder, source);
  const read = (into: Uint8Array): number | undefined => {
    const bytes = decoder.take(into);
    if (bytes === 0) return 0;
    // Bytes that were decoded before the source failed are returned first.
    if (bytes === undefined) feed.throwIfFailed();
    feed.giveAvailable();
    return bytes;
  };
  return {
    name: source.name,
    size: undefined,
    read,
    async wait(into) {
      for (;;) {
        const bytes = read(into);
        if (bytes !== undefined) return bytes;
        await feed.change();
      }
    },
    consumed: feed.consumed,
    close() {
      decoder.close();
      source.close();
    },
  };
}

/** Passes the bytes of a source to a decoder. */
interface Feed {
  /** Passes the bytes that can be read without waiting, while the decoder is ready. */
  giveAvailable(): void;
  /**
   * Resolves when the decoder may have decoded bytes, or the source has failed. Waits for further bytes of the source
   * if the decoder needs them.
   */
  change(): Promise<unknown>;
  /** Throws the error of the source if it has failed. */
  throwIfFailed(): void;
  /** The number of bytes that were passed on since the last call. */
  consumed(): number;
}

function createFeed(decoder: Decoder, source: ByteSource): Feed {
  let isAllGiven = false;
  let bytesGiven = 0;
  let failure: { readonly error: unknown } | undefined;
  let waiting: Promise<void> | undefined;
  const give = (piece: Uint8Array, bytes: number) => {
    isAllGiven = bytes === 0;
    bytesGiven += bytes;
    decoder.give(piece.subarray(0, bytes));
  };
  const isWanted = () => !isAllGiven && failure === undefined && decoder.isReady();
  const giveLater = async () => {
    const piece = new Uint8Array(PIECE);
    try {
      give(piece, await source.wait(piece));
    } catch (error) {
      failure = { error };
    }
    waiting = undefined;
  };
  return {
    giveAvailable() {
      try {
        while (waiting === undefined && isWanted()) {
          const piece = new Uint8Array(PIECE);
          const bytes = source.read(piece);
          if (bytes === undefined) return;
          give(piece, bytes);
        }
      } catch (error) {
        failure ??= { error };
      }
    },
    async change() {
      if (failure !== undefined) return;
      if (isWanted()) waiting ??= giveLater();
      await Promise.race(waiting === undefined ? [decoder.change()] : [decoder.change(), waiting]);
    },
    throwIfFailed() {
      if (failure !== undefined) throw failure.error;
    },
    consumed() {
      const bytes = bytesGiven;
      bytesGiven = 0;
      return bytes;
    },
  };
}

/** An event that can be awaited again and again. */
export interface News {
  /** Resolves the promise of the last `next`. */
  tell(): void;
  /** Resolves when the event happens next. */
  next(): Promise<void>;
}

export function createNews(): News {
  let tell = () => {};
  return {
    tell: () => tell(),
    next: () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
  };
}

/** The error for a compressed stream that is cut off or corrupt. `why` is the message of the decoder. */
export function undecodable({ name, content, compression }: Encoded, why: string): BloomError {
  const message = `cannot read ${displayName(name)} to its end: as ${compression} it is cut off or corrupt (${why})`;
  return content === 'records'
    ? new UnreadableInput(message, 'download it again, or add --raw if it is not compressed')
    : new BloomError('input', message, 'download it again');
}
