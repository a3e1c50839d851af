// The interfaces of a scanner, which turns the bytes of a source into records and digests.

import type { KeyRules } from '../../formats/description.ts';
import type { AnswerDigests, ScannedDigests } from './digests.ts';
import type { RecordSource } from './header.ts';
import type { KeySelection } from './key-selection.ts';

/** A batch of records, one after the other in kernel memory. */
export interface RecordBatch {
  readonly count: number;
  /** Address of the first record. */
  readonly start: number;
  /** Address of the u32 addresses past each record's terminator. */
  readonly ends: number;
}

/** Records of a batch with their answers: one byte per record at `matches`, 1, 0, or 2 for no answer. */
export interface AnsweredBatch extends RecordBatch {
  /** Address of each record's u32 index in the batch that was read, if these are not all records of that batch. */
  readonly numbers?: number;
  readonly matches: number;
  /** The answers of each of several filters, if the filters are distinguished. The rows are `stride` bytes apart. */
  readonly rows?: { readonly address: number; readonly stride: number };
}

/** Receives what the scanner finds. */
export interface Consumer {
  /** Receives digests by the rules of this index. Their owners are the indices of their records in the batch. */
  keys(digests: ScannedDigests, rule: number): void;
  /** Receives the last digests of a batch. */
  lastKeys(digests: ScannedDigests, rule: number): void;
  /** Receives the records of a batch, after all of their keys. It may find the keys again. */
  records?(batch: RecordBatch): void;
  /** Is called when the source has no more bytes for the moment, so that waiting answers can be printed. */
  idle?(): void;
}

export interface ScannerOptions {
  readonly selection: KeySelection;
  /** The rules that make digests of keys. Each of them applies to all keys. */
  readonly rules: readonly KeyRules[];
  /** Records per batch; unlimited by default. */
  readonly recordLimit?: number;
  /** Keep records until the consumer has received them; otherwise only their keys are kept. */
  readonly keepRecords?: boolean;
  /** Count records that have keys, if a record may have several keys. The count takes time per key. */
  readonly countsKeyed?: boolean;
  /** Count keys of zero bytes. */
  readonly countsEmpty?: boolean;
  /** Keys are looked up: each rule may look up several keys for one. */
  readonly looksUp?: boolean;
  /** How keys are answered before their records, for each of the rules. */
  readonly answered?: readonly (AnswerDigests | undefined)[];
  /** Bytes of a record before its terminator, at most. */
  readonly longest?: number;
}

/** Is called after every read. Reading pauses until the returned promise is settled. */
export type OnRead = (bytes: number) => Promise<void> | void;

export interface Scanner {
  /** Scans a source to its end, and returns the counts of the source. */
  scan(source: RecordSource, onRead?: OnRead): Promise<Found>;
  /** Scans a whole text in memory, at once. Undefined for digests. */
  readonly scanText?: (name: string, text: Uint8Array) => Found;
  /** Ends the batch. */
  endBatch(): void;
  /** The counts of all scans. */
  tally(): Found;
  /** Skipped records among the first records of the batch: comments and empty records have a place in the batch too. */
  commentsBefore(record: number): number;
}

/** Records that were not skipped, and their keys. */
export interface Found {
  readonly records: number;
  readonly keys: number;
  /** Records that had keys, if a record may have several. */
  readonly keyed?: number;
  /** Keys of zero bytes, if these are counted. */
  readonly empty?: number;
  /** The lengths of blocks, if the keys are networks. */
  readonly lengths?: bigint;
}

/** The largest size of a batch in records: well below the numbers that the kernel's 32-bit counts would take as negative. */
export const NO_LIMIT = 2 ** 30;

/** Codes of the kernel's `scan`. */
export const STATUS = { drained: 0, keysFull: 1, recordsFull: 2 };
