import { openTemporaryFile, type TemporaryFile, untilCounted } from '../../io/temporary-file.ts';

/** Digests that wait, in their order, until the filter has been sized. */
export interface DigestLog {
  append(digests: Uint8Array): void;
  /** No digest was discarded. */
  isComplete(): boolean;
  /** Visits all digests, one piece after the other. */
  replay(visit: (digests: Uint8Array) => void): void;
  close(): void;
}

/** Digests that a thread keeps in memory. */
export const KEPT_KEYS = 2 ** 20;
const READ_DIGESTS = 16 * 1024;

/**
 * Opens a log of digests of `digestBytes` bytes. Digests beyond the memory limit go to a temporary file. If `spills` is false, the log is
 * discarded instead.
 */
export function openDigestLog(spills: boolean, digestBytes = 8): DigestLog {
  const memoryLimit = digestBytes * KEPT_KEYS;
  // A resizable buffer releases its memory at once when the log is discarded.
  const kept = new ArrayBuffer(0, { maxByteLength: memoryLimit });
  let bytes = 0;
  let file: TemporaryFile | undefined;
  return {
    append(digests) {
      const position = bytes;
      bytes += digests.length;
      if (bytes <= memoryLimit) {
        kept.resize(bytes);
        new Uint8Array(kept).set(digests, position);
      } else if (spills) {
        file ??= openTemporaryFile('digests', untilCounted());
        file.append(digests);
      } else kept.resize(0);
    },
    isComplete: () => spills || bytes <= memoryLimit,
    replay(visit) {
      const step = READ_DIGESTS * digestBytes;
      for (let start = 0; start < kept.byteLength; start += step)
        visit(new Uint8Array(kept, start, Math.min(step, kept.byteLength - start)));
      file?.replay(visit, step);
    },
    close: () => file?.close(),
  };
}
