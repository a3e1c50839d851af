/** The kinds of errors, as a closed set. Each code tells who must act. */
export type ErrorCode =
  /** The command line contradicts itself or cannot be understood. */
  | 'usage'
  /** An input cannot be read. */
  | 'input'
  /** An output cannot or must not be written. */
  | 'output'
  /** A file is not a filter, or a newer or damaged filter. */
  | 'format'
  /** Filters cannot be combined. */
  | 'mismatch'
  /** More keys than the capacity of the filter, if the user has forbidden this. */
  | 'capacity'
  /** The filter does not fit in the memory that this tool can use. */
  | 'memory'
  /** Another process changed a file during the work. Its changes stay. */
  | 'changed'
  /** A bug in bloom. */
  | 'internal';

/** The only error that reaches the user. It states the fault, its place and the remedy. */
export class BloomError extends Error {
  /** Who must act. */
  readonly code: ErrorCode;
  /** The remedy, in terms of the command line. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, hint?: string) {
    super(message);
    this.name = 'BloomError';
    this.code = code;
    this.hint = hint;
  }
}
