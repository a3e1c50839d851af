import type { Append } from './atomic-file.ts';

/** Where bytes are appended that become others on their way. */
export interface Converted {
  readonly append: Append;
  /** Appends what is left, and what follows all of them. */
  end(): Promise<void>;
}

/** What becomes of the bytes of a file before they are appended to it. */
export type Conversion = (append: Append) => Converted;

/** As base64, without line ends. */
export const toBase64: Conversion = (append) =>
  inParts(append, 3, (bytes) => Buffer.from(Buffer.from(bytes).toString('base64')));

/** In hexadecimal. */
export const toHex: Conversion = (append) =>
  inParts(append, 1, (bytes) => Buffer.from(Buffer.from(bytes).toString('hex')));

/** Converts so many bytes at a time, or a multiple of these, but for the last. */
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

/** As what is made of all of them, which are few. */
export function asWhole(convert: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>): Conversion {
  return (append) => {
    const pieces: Uint8Array[] = [];
    return {
      async append(bytes) {
        pieces.push(bytes.slice());
      },
      end: async () => append(await convert(Buffer.concat(pieces))),
    };
  };
}
