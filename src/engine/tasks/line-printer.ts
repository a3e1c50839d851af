import { isUtf8 } from 'node:buffer';
import { resultName } from '../../io/look.ts';
import type { Sink } from '../../io/sink.ts';
import { type Kernel, unsigned } from '../../kernel/kernel.ts';
import type { AnsweredBatch } from '../input/scanning.ts';
import type { LineStyle } from './line-style.ts';

export interface LinePrinter {
  /** Starts a part of a file. Its records are numbered after `recordsBefore` records, and bear the file's name if names are printed. */
  startFile(name: string | undefined, recordsBefore: number): void;
  /** Prints the wanted records of a batch. */
  print(batch: AnsweredBatch): void;
  /** Writes all buffered output. */
  flush(): void;
}

/** A record that is larger than the buffer. */
interface LargeRecord {
  /** The address of its first byte, and the address after its terminator. */
  readonly from: number;
  readonly to: number;
  readonly isMatch: boolean;
  /** Its index in the batch, and its number in the file. */
  readonly index: number;
  readonly number: number;
}

/** The form of the output. */
interface Form {
  /** Configures the kernel for the records of a file. */
  startFile(name: string | undefined): void;
  /** Writes a record piece by piece through a buffer. */
  writeLarge(record: LargeRecord, buffer: number, limit: number): void;
}

const BUFFER = 256 * 1024;

/** The kernel copies 16 bytes at a time, and may write one more escape. */
const PADDING = 64;

/** Prints records. The kernel writes them to a buffer, which goes to the sink when it is full. */
export function createLinePrinter(kernel: Kernel, style: LineStyle, nullTerminated: boolean, sink: Sink): LinePrinter {
  const { exports: entries, memory } = kernel;
  const namesLimit = configureNames(kernel, style);
  const form = style.json ? createObjects(kernel, style, nullTerminated, sink) : createLines(kernel, style, sink);
  const buffer = kernel.reserve(BUFFER + namesLimit + PADDING);
  const limit = buffer + BUFFER + namesLimit;
  let end = buffer;
  let linesBefore = 0;
  let file: string | null | undefined = null;

  const flush = () => {
    if (end > buffer) sink.write(kernel.bytes(buffer, end - buffer));
    end = buffer;
  };
  const recordAt = ({ ends, start, matches, numbers }: AnsweredBatch, index: number): LargeRecord => {
    const number = numbers === undefined ? index : (new Uint32Array(memory.buffer, numbers)[index] ?? 0);
    const addresses = new Uint32Array(memory.buffer, ends, index + 1);
    return {
      from: index === 0 ? start : (addresses[index - 1] ?? 0),
      to: addresses[index] ?? 0,
      isMatch: kernel.bytes(matches + index, 1)[0] === 1,
      index,
      number: linesBefore + number + 1,
    };
  };
  return {
    startFile(name, recordsBefore) {
      linesBefore = recordsBefore;
      if (name !== file) form.startFile(name);
      file = name;
    },
    print(batch) {
      const { start, ends, matches, count, numbers, rows } = batch;
      entries.configureNumbers(numbers ?? 0);
      if (rows !== undefined) entries.configureRows(rows.address, rows.stride);
      for (let next = 0; next < count; ) {
        next = entries.writeLines(start, ends, matches, next, count, BigInt(linesBefore + 1), end, limit) >>> 0;
        const full = next < count;
        const empty = end === buffer && unsigned(entries.linesEnd) === buffer;
        end = unsigned(entries.linesEnd);
        if (full && empty) form.writeLarge(recordAt(batch, next++), buffer, limit);
        else if (full) flush();
      }
      if (numbers === undefined) linesBefore += count;
    },
    flush,
  };
}

/** Configures the names of the filters in the kernel. Returns the maximum bytes per record that the names take. */
function configureNames({ exports: entries, memory, reserve, bytes }: Kernel, style: LineStyle): number {
  const { filterNames: names = [], json } = style;
  const [before, after] = json ? [',"filters":[', ']'] : ['', '\t'];
  const texts = [
    before,
    after,
    ...names.map((name) => (json ? JSON.stringify(name) : resultName(name, style.escapesNames))),
  ].map((text) => Buffer.from(text));
  const limit = texts.reduce((sum, text) => sum + text.length + 1, 0);
  const table = reserve(8 * texts.length);
  let at = reserve(limit + PADDING);
  const spanWords = texts.flatMap((text) => {
    bytes(at, text.length).set(text);
    at += text.length;
    return [at - text.length, text.length];
  });
  new Uint32Array(memory.buffer, table, spanWords.length).set(spanWords);
  entries.configureNames(table, names.length, names.length === 0 ? 0 : limit);
  return limit;
}

/** Records as text, with a lead. */
function createLines({ exports: entries, reserve, bytes }: Kernel, style: LineStyle, sink: Sink): Form {
  return {
    startFile(name) {
      const prefix = Buffer.from(
        style.named && name !== undefined ? `${resultName(name, style.escapesNames)}${style.afterName ?? ':'}` : '',
      );
      const address = prefix.length === 0 ? 0 : reserve(prefix.length + PADDING);
      bytes(address, prefix.length).set(prefix);
      entries.configureLines(style.wanted, Number(style.tag), address, prefix.length, Number(style.numbered));
    },
    writeLarge({ from, to, isMatch, index, number }, buffer) {
      sink.write(bytes(buffer, (entries.writeLead(buffer, Number(isMatch), index, BigInt(number)) >>> 0) - buffer));
      sink.write(bytes(from, to - from));
    },
  };
}

const CR = 13;

/** The space of the kernel for each text of an object. */
const TEXT_BYTES = 16;
const HEAD = '{"record":"';
const ABSENT = '","match":false';
const PRESENT = '","match":true';
const BASE64_HEAD = '{"record":null,"recordBase64":"';

/** Bytes that are encoded in one call: whole groups of three, each of which becomes four characters. */
const BASE64_PIECE = (BUFFER / 4) * 3;

/** Records as JSON objects. JSON strings cannot hold arbitrary bytes, so a record that is not valid UTF-8 is encoded in base64. */
function createObjects(
  { exports: entries, reserve, bytes }: Kernel,
  style: LineStyle,
  nullTerminated: boolean,
  sink: Sink,
): Form {
  let tail = '';
  return {
    startFile(name) {
      tail = `,"file":${JSON.stringify(name ?? null)},"line":`;
      const texts = [HEAD, ABSENT, PRESENT].map((text) => text.padEnd(TEXT_BYTES)).join('');
      const all = Buffer.from(texts + BASE64_HEAD.padEnd(2 * TEXT_BYTES) + tail);
      const address = reserve(all.length + PADDING);
      bytes(address, all.length).set(all);
      entries.configureObjects(style.wanted, address, Buffer.byteLength(tail), Number(!nullTerminated));
    },
    writeLarge({ from, to, isMatch, index, number }, buffer, limit) {
      const dropsReturn = !nullTerminated && bytes(to - 2, 1)[0] === CR;
      const textEnd = to - (dropsReturn ? 2 : 1);
      const isText = isUtf8(bytes(from, textEnd - from));
      sink.write(Buffer.from(isText ? HEAD : BASE64_HEAD));
      for (let at = from; at < textEnd; ) {
        const to = isText ? textEnd : Math.min(at + BASE64_PIECE, textEnd);
        const end = isText ? entries.writeEscaped(buffer, at, to, limit) : entries.writeBase64(buffer, at, to);
        sink.write(bytes(buffer, (end >>> 0) - buffer));
        at = isText ? unsigned(entries.escapedTo) : to;
      }
      sink.write(Buffer.from(isMatch ? PRESENT : ABSENT));
      if (style.filterNames !== undefined)
        sink.write(bytes(buffer, (entries.writeNames(buffer, index) >>> 0) - buffer));
      sink.write(Buffer.from(`${tail}${number}}\n`));
    },
  };
}
