import type { Observer } from '../engine/input/input.ts';
import type { ColourSetting } from '../terminal/colour.ts';
import type { Messenger } from '../terminal/messages.ts';
import { type ProgressLine, progressLine, type Unit } from '../terminal/progress.ts';

/** Draws how far the work is, and reports the inputs that cannot be read. */
export interface Watch extends Observer {
  /** Inputs that could not be read, or not to their end. */
  readonly failures: number;
  /** Those of them that were begun: what was read of them before counts. */
  readonly broken: number;
  /** Begins a part of the work, whose progress counts from here on. The line of the part before is taken away. */
  begin(label: string, unit?: Unit): void;
  /** Takes the line away: what is printed next must not stand beside it, and it would keep the program from ending. */
  finish(): void;
}

/** Watches some work, part by part; of what is done before or between them nothing is shown, and to a quiet user none of it. */
export function watchWork(say: Messenger, constraints: ColourSetting | undefined): Watch {
  let line: ProgressLine | undefined;
  /** Begins the part once more, as its next pass. */
  let beginAgain: (() => void) | undefined;
  let pass = 1;
  let failures = 0;
  let broken = 0;
  const finish = () => {
    line?.stop();
    line = undefined;
  };
  const draw = (label: string, unit: Unit | undefined) => {
    finish();
    line = say.isQuiet ? undefined : progressLine(label, constraints, unit);
  };
  return {
    begin(label, unit) {
      draw(label, unit);
      beginAgain = () => draw(label, unit);
      pass = 1;
    },
    onProgress(progress) {
      const { number = pass } = progress.pass ?? {};
      if (number > pass && line !== undefined) beginAgain?.();
      pass = number;
      return line?.update(progress);
    },
    onUnreadable(error, isBegun) {
      failures++;
      if (isBegun) broken++;
      line?.clear();
      say.error(error);
    },
    get failures() {
      return failures;
    },
    get broken() {
      return broken;
    },
    finish,
  };
}
