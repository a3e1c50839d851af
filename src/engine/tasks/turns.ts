/** Lets threads print the parts of an input in their order, and number the records on the way. */
export interface Turns {
  /** One number: that of the part whose turn it is. */
  readonly current: Int32Array;
  /** One number: the records of the same file before that part; not a number if it could not be read up to there. */
  readonly records: Float64Array;
  /** One number: those of them that were selected, where no more than some are printed. */
  readonly selected: Float64Array;
}

/** Turns from 0 on. Threads hand them to each other as a message. */
export function createTurns(): Turns {
  return {
    current: new Int32Array(new SharedArrayBuffer(4)),
    records: new Float64Array(new SharedArrayBuffer(8)),
    selected: new Float64Array(new SharedArrayBuffer(8)),
  };
}

/** Stops this thread until it is a part's turn. */
export function awaitTurn({ current }: Turns, part: number): void {
  for (;;) {
    const now = Atomics.load(current, 0);
    if (now === part) return;
    Atomics.wait(current, 0, now);
  }
}

/** Ends the turn of a part, up to which the file has had so many records, and so many that were selected. */
export function passTurn(turns: Turns, part: number, recordsBefore: number, selectedBefore = 0): void {
  const { current, records, selected } = turns;
  records[0] = recordsBefore;
  selected[0] = selectedBefore;
  Atomics.store(current, 0, part + 1);
  Atomics.notify(current, 0);
}
