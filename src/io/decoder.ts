import { BloomError, type FileRole, UnreadableInput } from '../errors.ts';
import { displayName } from './look.ts';
import type { ByteSource } from './source.ts';

/** Compressed bytes, for messages. */
export interface Encoded {
  /** As the user named their source. */
  readonly name: string;
  readonly content: FileRole;
  /** The name of the compression. */
  readonly compression: string;
}

/** What turns compressed bytes into those that they stand for, while this thread does other things. */
export interface Decoder {
  /**
   * Takes bytes that it has made: their number, 0 at their end, undefined if there are none for the moment. Throws
   * what `undecodable` makes.
   */
  take(into: Uint8Array): number | undefined;
  /** It takes compressed bytes now. */
  isReady(): boolean;
  /** Gives it some, which are its own from then on; none at their end. */
  give(bytes: Uint8Array): void;
  /** Resolves when it has made bytes or is ready again, or something went wrong. */
  change(): Promise<void>;
  /** Ends it, whatever it is at. */
  close(): void;
}

/** Compressed bytes that a decoder gets at once. */
const PIECE = 64 * 1024;

/** A source of what a decoder makes of another source. Both are closed with it. */
export function decodedBy(decoder: Decoder, source: ByteSource): ByteSource {
  const feed = createFeed(decoder, source);
  const read = (into: Uint8Array): number | undefined => {
    const bytes = decoder.take(into);
    if (bytes === 0) return 0;
    // What was made before the source failed is not lost with the rest.
    if (bytes === undefined) feed.throwIfFailed();
    feed.giveWhatIsThere();
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

/** Gives a decoder the bytes of a source. */
interface Feed {
  /** Gives it what can be read without waiting, as long as it takes more. */
  giveWhatIsThere(): void;
  /** Resolves when the decoder may have made bytes, or the source has failed; reads on if that is what it waits for. */
  change(): Promise<unknown>;
  /** Throws the error of the source, once it has failed. */
  throwIfFailed(): void;
  /** How many bytes were given since it was asked last. */
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
    giveWhatIsThere() {
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

/** Something that is waited for, again and again. */
export interface News {
  /** It has happened. */
  tell(): void;
  /** Resolves when it happens next. */
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

/** The error for a compressed stream that ends too early or is not what it was. `why` is what the decoder says. */
export function undecodable({ name, content, compression }: Encoded, why: string): BloomError {
  const message = `cannot read ${displayName(name)} to its end: as ${compression} it is cut off or corrupt (${why})`;
  return content === 'records'
    ? new UnreadableInput(message, 'get it again, or add --raw if it is not compressed')
    : new BloomError('input', message, 'get it again');
}
