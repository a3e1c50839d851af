import type { Append } from './atomic-file.ts';

/** A destination of bytes that converts them before it appends them to another destination. */
export interface Converted {
  readonly append: Append;
  /** Appends the rest, and the bytes that end the file. */
  end(): Promise<void>;
}

/** Converts the bytes of a file before they are appended to the file. */
export type Conversion = (append: Append) => Converted;

/** Converts to base64, without line ends. */
export const toBase64: Conversion = (append) =>
  inParts(append, 3, (bytes) => Buffer.from(Buffer.from(bytes).toString('base64')));

/** Converts to hexadecimal digits. */
export const toHex: Conversion = (append) =>
  inParts(append, 1, (bytes) => Buffer.from(Buffer.from(bytes).toString('hex')));

/** Converts multiples of `part` bytes at a time. Only the last piece may be shorter. */
function inParts(append: Append, part: number, convert: (bytes: Uint8Array) => Uint8Array): Converted {
  let rest: Uint8Array = new Uint8Array(0);
  return {
    async append(bytes) {
      const all = Buffer.concat([rest, bytes]);
      const whole = all.length - (all.length % part);
      rest = all.subarray(whole);
      await append(convert(all.subarray(0, whole)));
    },
    end: () => append(convert(rest)),
  };
}

/** Converts all bytes at once. They must fit in memory. */
export function asWhole(convert: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>): Conversion {
  return (append) => {
    const pieces: Uint8Array[] = [];
    return {
      async append(bytes) {
        // The slice of a Buffer would share its memory.
        pieces.push(new Uint8Array(bytes));
      },
      end: async () => append(await convert(Buffer.concat(pieces))),
    };
  };
}
