/** Lets threads print the parts of an input in order, and pass on the number of records. */
export interface Turns {
  /** One number: the part whose turn it is. */
  readonly current: Int32Array;
  /** One number: the records of the same file before that part; NaN if the file could not be read up to there. */
  readonly records: Float64Array;
  /** One number: the selected ones among these records, if the number of printed records is limited. */
  readonly selected: Float64Array;
  /** One number: the records of all inputs before that part, skipped records included; only tasks that number them pass it on. */
  readonly total: Float64Array;
}

/** Turns from 0 on. Threads pass them to each other as a message. */
export function createTurns(): Turns {
  return {
    current: new Int32Array(new SharedArrayBuffer(4)),
    records: new Float64Array(new SharedArrayBuffer(8)),
    selected: new Float64Array(new SharedArrayBuffer(8)),
    total: new Float64Array(new SharedArrayBuffer(8)),
  };
}

/** Blocks this thread until it is the part's turn. */
export function awaitTurn({ current }: Turns, part: number): void {
  for (;;) {
    const now = Atomics.load(current, 0);
    if (now === part) return;
    Atomics.wait(current, 0, now);
  }
}

/** Ends the turn of a part. `recordsBefore` and `selectedBefore` count the file's records up to the end of the part. */
export function passTurn(turns: Turns, part: number, recordsBefore: number, selectedBefore = 0): void {
  const { current, records, selected } = turns;
  records[0] = recordsBefore;
  selected[0] = selectedBefore;
  Atomics.store(current, 0, part + 1);
  Atomics.notify(current, 0);
}
