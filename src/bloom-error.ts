/** What can go wrong, as a closed set. Each code tells who must act. */
export type ErrorCode =
  /** The command line contradicts itself or cannot be understood. */
  | 'usage'
  /** An input cannot be read. */
  | 'input'
  /** An output cannot or must not be written. */
  | 'output'
  /** A file is no filter, a newer one, or a damaged one. */
  | 'format'
  /** Filters do not fit together. */
  | 'mismatch'
  /** More keys than the filter was sized for, where that was forbidden. */
  | 'capacity'
  /** The filter does not fit in the memory that this tool can use. */
  | 'memory'
  /** Somebody else changed a file while we worked with it: what they made of it stays. */
  | 'changed'
  /** A mistake of ours. */
  | 'internal';

/** The one error that reaches the user. It states what is wrong, where, and what to do. */
export class BloomError extends Error {
  /** Who must act. */
  readonly code: ErrorCode;
  /** What to do, in the words of the command line. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, hint?: string) {
    super(message);
    this.name = 'BloomError';
    this.code = code;
    this.hint = hint;
  }
}
