import type { Observer } from '../engine/input/input.ts';
import type { ColourSetting } from '../terminal/colour.ts';
import type { Messenger } from '../terminal/messages.ts';
import { type ProgressLine, progressLine, type Unit } from '../terminal/progress.ts';

/** Draws progress, and reports the inputs that cannot be read. */
export interface Watch extends Observer {
  /** Inputs that could not be read, or not to their end. */
  readonly failures: number;
  /** Inputs among them that were read in part. What was read of them counts. */
  readonly broken: number;
  /** Begins a step of the work with its own progress. The line of the step before is removed. */
  begin(label: string, unit?: Unit): void;
  /** Removes the line. Otherwise the next output would be printed next to it, and the process would not end. */
  finish(): void;
}

/** Watches work step by step. Nothing is shown between the steps, and nothing at all with --quiet. */
export function watchWork(say: Messenger, constraints: ColourSetting | undefined): Watch {
  let line: ProgressLine | undefined;
  /** Begins the step again for its next pass. */
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
