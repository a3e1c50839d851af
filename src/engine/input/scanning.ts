// The interfaces of a scanner, which turns the bytes of a source into records and digests.

import type { KeyRules } from '../../formats/description.ts';
import type { ByteSource } from '../../io/source.ts';
import type { ScannedDigests } from './digests.ts';
import type { KeySelection } from './key-selection.ts';

/** A batch of records that lie one after the other in kernel memory. */
export interface RecordBatch {
  readonly count: number;
  /** Address of the first record. */
  readonly start: number;
  /** Address of the u32 addresses past each record's terminator. */
  readonly ends: number;
}

/** Records of a batch with their answers: a byte each at `matches`, 1 or 0, or 2 where there is none. */
export interface AnsweredBatch extends RecordBatch {
  /** Address of the u32 number of each in the batch that it was read in, where they are not all records of one. */
  readonly numbers?: number;
  readonly matches: number;
  /** The answers of each of several filters, if they were told apart: those of the next are `stride` bytes behind. */
  readonly rows?: { readonly address: number; readonly stride: number };
}

/** Who takes what the scanner finds. */
export interface Consumer {
  /** Takes digests by rules of this number; their owners are the numbers of their records in the batch. */
  keys(digests: ScannedDigests, rule: number): void;
  /** Takes the last digests of a batch. */
  lastKeys(digests: ScannedDigests, rule: number): void;
  /** Takes the records of a batch, after all of their keys, which may be found once more meanwhile. */
  records?(batch: RecordBatch): void;
  /** There is nothing more to read for the moment: what is due should go out. */
  idle?(): void;
}

export interface ScannerOptions {
  readonly selection: KeySelection;
  /** What makes digests of keys: each of these does of all keys. */
  readonly rules: readonly KeyRules[];
  /** Records of a batch; as many as there are without it. */
  readonly recordLimit?: number;
  /** Records are kept until the consumer has seen them; else only their keys are. */
  readonly keepRecords?: boolean;
  /** Records that have keys are counted, where they may have several; which takes time for each key. */
  readonly countsKeyed?: boolean;
  /** Keys without any byte are counted. */
  readonly countsEmpty?: boolean;
  /** Bytes that a record may have before its terminator. */
  readonly longest?: number;
}

/** Told of every read; reading pauses until what it returns is settled. */
export type OnRead = (bytes: number) => Promise<void> | void;

export interface Scanner {
  /** Scans a source to its end, and returns what was in it. */
  scan(source: ByteSource, onRead?: OnRead): Promise<Found>;
  /** Ends the batch. */
  settle(): void;
  /** What was scanned in all. */
  tally(): Found;
  /** Comments among the first so many records of the batch, which are kept as records are. */
  commentsBefore(record: number): number;
}

/** Records, but for comments, and the keys that they had. */
export interface Found {
  readonly records: number;
  readonly keys: number;
  /** Records that had some, where they may have several. */
  readonly keyed?: number;
  /** Keys without any byte, where these are counted. */
  readonly empty?: number;
}

/** As many records as a batch may have: well below where the kernel's 32-bit counts would turn negative. */
export const NO_LIMIT = 2 ** 30;

/** Codes of the kernel's `scan`. */
export const STATUS = { drained: 0, keysFull: 1 };
