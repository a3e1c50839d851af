import { fsyncSync, writeSync } from 'node:fs';
import { BloomError, ClosedPipe, causeOf, errno } from '../errors.ts';
import { STDERR, STDOUT, statOf } from './descriptors.ts';
import { nap } from './nap.ts';

/** A destination of results, in order. */
export interface Sink {
  write(bytes: Uint8Array): void;
}

/** Milliseconds between two attempts to write to a full non-blocking pipe. */
const RETRY_INTERVAL = 1;

/** Writes all of `bytes` to a descriptor. Waits while a non-blocking pipe is full. */
function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      if (errno(error) !== 'EAGAIN') throw error;
      nap(RETRY_INTERVAL);
    }
  }
}

/** Whether the reader of a pipe has ended. libuv calls this the end of the file on Windows. */
export function isOfClosedPipe(error: unknown): boolean {
  const code = errno(error);
  return code === 'EPIPE' || code === 'EOF';
}

/** The standard output. Throws `ClosedPipe` if its reader has ended, and an `output` error for every other failure. */
export const standardOutput: Sink = {
  write(bytes) {
    try {
      writeAll(STDOUT, bytes);
    } catch (error) {
      if (isOfClosedPipe(error)) throw new ClosedPipe(false);
      throw new BloomError('output', `cannot write to standard output: ${causeOf(error)}`);
    }
  },
};

/** Makes the bytes of the standard output durable if it is a file. Throws an `output` error. */
export function syncStandardOutput(): void {
  try {
    if (statOf(STDOUT)?.isFile()) fsyncSync(STDOUT);
  } catch (error) {
    throw new BloomError('output', `cannot write to standard output: ${causeOf(error)}`);
  }
}

/**
 * Appends to an open file. Throws `ClosedPipe` if the reader of a pipe has ended, and an `output` error for every other
 * failure.
 */
export function descriptorSink(fd: number, name: string): Sink {
  return {
    write(bytes) {
      try {
        writeAll(fd, bytes);
      } catch (error) {
        if (isOfClosedPipe(error)) throw new ClosedPipe(true);
        throw new BloomError('output', `cannot write ${name}: ${causeOf(error)}`);
      }
    },
  };
}

/** The sink of an open file, or the standard output. */
export function sinkFor(file: { readonly fd: number; readonly name: string } | undefined): Sink {
  return file === undefined ? standardOutput : descriptorSink(file.fd, file.name);
}

/** The standard error. Its failures are ignored, because nothing could report them. */
export const standardError: Sink = {
  write(bytes) {
    try {
      writeAll(STDERR, bytes);
    } catch {
      // A closed standard error must not end the work.
    }
  },
};

/** Prints a line for people on the standard error. */
export function tell(line: string): void {
  standardError.write(Buffer.from(`${line}\n`));
}

/** Prints text on the standard output. */
export function print(text: string): void {
  standardOutput.write(Buffer.from(text));
}
