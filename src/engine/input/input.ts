import type { UnreadableInput } from '../../errors.ts';
import { lookAt } from '../../io/look.ts';
import type { PositionedFile } from '../../io/positioned.ts';
import { type ByteSource, memorySource } from '../../io/source.ts';
import { chunkSource } from './chunks.ts';
import { type FileRange, openRange, rangeBytes } from './file-range.ts';
import type { RecordSource } from './header.ts';
import type { KeySelection } from './key-selection.ts';
import { openRecords, recordsOf } from './open-records.ts';
import type { ProgressObserver } from './progress.ts';
import { RANDOM_KEY_BYTES, randomKeys } from './random-keys.ts';
import type { FieldRange } from './record-keys.ts';

/** Records of a file, or of the standard input for '-': all records, or the records of a range. */
export type FileInput = string | FileRange;

/** Records in memory, and the name of their file if names are printed. */
export interface GivenRecords {
  readonly records: Uint8Array;
  readonly name?: string | undefined;
}

/** An input: a file or a range of it, a kept copy of a file, records in memory, random keys, or bytes from a program. */
export type Input =
  | FileInput
  | { readonly kept: PositionedFile; readonly fields?: readonly FieldRange[] | undefined }
  | GivenRecords
  | { readonly given: ByteSource }
  | { readonly randomKeys: number };

/** The bytes of an input, as `openRecords` opens them, and with its errors. */
export async function openInput(input: Input, selection: KeySelection): Promise<RecordSource> {
  if (typeof input === 'string') return openRecords(input, selection);
  if ('file' in input) return openRange(input, selection);
  if ('kept' in input) {
    const file = input.kept;
    return { ...chunkSource({ type: 'range', file, from: 0, to: file.size, fields: input.fields }), file };
  }
  if ('given' in input) return selection.areDigests ? input.given : recordsOf(input.given, selection);
  return 'records' in input ? memorySource('the command line', input.records) : randomKeys(input.randomKeys);
}

/** The file of an input, as the user named it; undefined for other inputs. */
export function fileOf(input: FileInput): string;
export function fileOf(input: Input): string | undefined;
export function fileOf(input: Input): string | undefined {
  if (typeof input === 'string') return input;
  return 'file' in input ? input.file : undefined;
}

/** Receives the reports of the engine, which prints nothing itself. */
export interface Observer extends ProgressObserver {
  /** An input could not be read or, if `isBegun`, not to its end. The other inputs are still read. */
  onUnreadable(error: UnreadableInput, isBegun: boolean): void;
}

/** Whether all inputs are regular files, so that they can be read twice. */
export function areRegular(inputs: readonly Input[]): boolean {
  return inputs.every((input) => {
    if (typeof input !== 'string' && 'given' in input) return false;
    const file = fileOf(input);
    return file === undefined || (file !== '-' && (lookAt(file)?.isFile() ?? true));
  });
}

/** Bytes of all inputs; undefined if a pipe is among them. */
export function totalBytes(inputs: readonly Input[]): number | undefined {
  let sum = 0;
  for (const input of inputs) {
    if (typeof input === 'string') {
      const stat = lookAt(input);
      if (!stat?.isFile()) return undefined;
      sum += stat.size;
    } else if ('given' in input) return undefined;
    else if ('file' in input) sum += rangeBytes(input);
    else if ('kept' in input) sum += input.kept.size;
    else sum += 'records' in input ? input.records.length : input.randomKeys * RANDOM_KEY_BYTES;
  }
  return sum;
}
