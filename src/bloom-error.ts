/** What can go wrong, as a closed set: each code says whose turn it is to act. */
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

/** The one error that reaches the user: what is wrong and where, and what to do about it. */
export class BloomError extends Error {
  /** Whose turn it is to act. */
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
