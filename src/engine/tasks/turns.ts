/** Lets threads print the parts of an input in their order, and number the records on the way. */
export interface Turns {
  /** One number: that of the part whose turn it is. */
  readonly current: Int32Array;
  /** One number: the records of the same file before that part; not a number if it could not be read up to there. */
  readonly records: Float64Array;
}

/** Turns from 0 on. Threads hand them to each other as a message. */
export function createTurns(): Turns {
  return { current: new Int32Array(new SharedArrayBuffer(4)), records: new Float64Array(new SharedArrayBuffer(8)) };
}

/** Stops this thread until it is a part's turn. */
export function awaitTurn({ current }: Turns, part: number): void {
  for (;;) {
    const now = Atomics.load(current, 0);
    if (now === part) return;
    Atomics.wait(current, 0, now);
  }
}

/** Ends the turn of a part, up to which the file has had so many records. */
export function passTurn({ current, records }: Turns, part: number, recordsBefore: number): void {
  records[0] = recordsBefore;
  Atomics.store(current, 0, part + 1);
  Atomics.notify(current, 0);
}
