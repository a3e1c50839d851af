import { BloomError } from '../errors.ts';
import type { Sink } from '../io/sink.ts';
import { displayName } from '../io/source.ts';
import { type Kernel, unsigned } from '../kernel/kernel.ts';
import type { AnsweredBatch } from './scanner.ts';
import { type LineStyle, WANTED } from './task.ts';

export interface LinePrinter {
  /**
   * Starts a part of a file: its records are numbered on from those before it and bear the file's name, if names are
   * wanted.
   */
  startFile(name: string | undefined, recordsBefore: number): void;
  /** Prints the wanted records of a batch. */
  print(batch: AnsweredBatch): void;
  /** Lets everything out. */
  flush(): void;
}

const BUFFER = 256 * 1024;

/** Characters of JSON that are written together. */
const JSON_AT_ONCE = 256 * 1024;

/** Each byte of a record can become six characters, of which a string has 2^29 at most. */
const JSON_RECORD_LIMIT = 64 * 1024 * 1024;

/** The kernel copies 16 bytes at a time. */
const PADDING = 64;

/** Prints records as bytes, copied by the kernel into a buffer that goes to the sink when it is full. */
export function createLinePrinter(kernel: Kernel, style: LineStyle, sink: Sink): LinePrinter {
  const { run, memory } = kernel;
  const buffer = kernel.reserve(BUFFER + PADDING);
  const limit = buffer + BUFFER;
  let end = buffer;
  let linesBefore = 0;
  let prefix: string | undefined;

  const flush = () => {
    if (end > buffer) sink.write(kernel.bytes(buffer, end - buffer));
    end = buffer;
  };
  /** A record that no buffer holds goes out from where it lies. */
  const printLarge = ({ ends, start, matches }: AnsweredBatch, index: number) => {
    const addresses = new Uint32Array(memory.buffer, ends, index + 1);
    const from = index === 0 ? start : (addresses[index - 1] ?? 0);
    const match = kernel.bytes(matches + index, 1)[0] ?? 0;
    end = run.writeLead(buffer, match, BigInt(linesBefore + index + 1)) >>> 0;
    flush();
    sink.write(kernel.bytes(from, (addresses[index] ?? 0) - from));
  };
  return {
    startFile(name, recordsBefore) {
      linesBefore = recordsBefore;
      const wanted = style.named && name !== undefined ? `${name}:` : '';
      if (wanted === prefix) return;
      prefix = wanted;
      const bytes = Buffer.from(prefix);
      const address = bytes.length === 0 ? 0 : kernel.reserve(bytes.length + PADDING);
      kernel.bytes(address, bytes.length).set(bytes);
      run.configureLines(style.wanted, Number(style.tag), address, bytes.length, Number(style.numbered));
    },
    print(batch) {
      for (let next = 0; next < batch.count; ) {
        const first = next;
        next =
          run.writeLines(
            batch.start,
            batch.ends,
            batch.matches,
            first,
            batch.count,
            BigInt(linesBefore + 1),
            end,
            limit,
          ) >>> 0;
        const full = next < batch.count;
        const empty = end === buffer && unsigned(run.linesEnd) === buffer;
        end = unsigned(run.linesEnd);
        if (full && empty) printLarge(batch, next++);
        else if (full) flush();
      }
      linesBefore += batch.count;
    },
    flush,
  };
}

/**
 * Prints records as JSON objects, one a line. Bytes that are no UTF-8 become U+FFFD, as JSON has no bytes. Throws an
 * `output` error for a record that is too long for a string.
 */
export function createJsonPrinter(
  kernel: Kernel,
  { wanted }: LineStyle,
  nullTerminated: boolean,
  sink: Sink,
): LinePrinter {
  let file: string | undefined;
  let linesBefore = 0;
  let text = '';
  const flush = () => {
    if (text !== '') sink.write(Buffer.from(text));
    text = '';
  };
  return {
    startFile(name, recordsBefore) {
      file = name;
      linesBefore = recordsBefore;
    },
    print({ count, start, ends, matches }) {
      const addresses = new Uint32Array(kernel.memory.buffer, ends, count);
      const answers = kernel.bytes(matches, count);
      let from = start;
      for (let i = 0; i < count; i++) {
        const to = addresses[i] ?? from;
        const match = answers[i] === 1;
        if (wanted === WANTED.all || match === (wanted === WANTED.present)) {
          const line = linesBefore + i + 1;
          if (to - from > JSON_RECORD_LIMIT) throw tooLong(line, file);
          const whole = Buffer.from(kernel.memory.buffer, from, to - from - 1).toString();
          const record = nullTerminated || !whole.endsWith('\r') ? whole : whole.slice(0, -1);
          text += `${JSON.stringify({ record, match, file: file ?? null, line })}\n`;
          if (text.length >= JSON_AT_ONCE) flush();
        }
        from = to;
      }
      linesBefore += count;
    },
    flush,
  };
}

function tooLong(line: number, file: string | undefined): BloomError {
  const limit = JSON_RECORD_LIMIT / 2 ** 20;
  return new BloomError(
    'output',
    `record ${line}${file === undefined ? '' : ` of ${displayName(file)}`} has more than ${limit} MiB, too many for JSON`,
    'ask without --json',
  );
}
