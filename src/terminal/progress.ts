import { STDERR } from '../io/descriptors.ts';
import { isTerminal } from '../io/terminal.ts';
import { byteSpeed, bytes, duration, rate } from '../quantities.ts';
import { type ColourSetting, isColoured } from './colour.ts';

/** How far some work is; `total` is unknown for pipes. Bytes. */
export interface Progress {
  readonly bytes: number;
  readonly total: number | undefined;
  /** Which of several passes it is, counted from 1. */
  readonly pass?: { readonly number: number; readonly of: number } | undefined;
}

/** How progress in bytes is told. */
export interface Unit {
  amount(bytes: number): string;
  speed(bytesPerSecond: number): string;
}

const BYTES: Unit = { amount: bytes, speed: byteSpeed };

export interface ProgressLine {
  /** Draws it; to be awaited, for the first time loads what draws. */
  update(progress: Progress): Promise<void>;
  /** Makes way for a line of text; the next update draws it again. */
  clear(): void;
  /** Removes the line for good. */
  stop(): void;
}

/** Work that takes less long shows no progress, in seconds. */
const PATIENCE = 0.5;

/** Columns that the spinner takes, with a blank at either end. */
const SPINNER_COLUMNS = 3;

/** A line on the terminal's standard error that says how far the work is; nothing elsewhere. */
export function progressLine(label: string, constraints: ColourSetting | undefined, unit: Unit = BYTES): ProgressLine {
  const start = process.uptime();
  let spinner: { text: string; clear(): unknown; stop(): unknown } | undefined;
  let asked = false;
  let stopped = false;
  const describeNow = (progress: Progress) =>
    describe(label, progress, process.uptime() - start, process.stderr.columns - SPINNER_COLUMNS, unit);
  // ora draws on a redirected standard error as well, and counts lines without end on a terminal of no width.
  const draw = async (progress: Progress) => {
    if (!(await isTerminal(STDERR)) || !process.stderr.columns) return;
    const { default: ora } = await import('ora');
    const color = (await isColoured(STDERR, constraints)) ? 'cyan' : false;
    const line = ora({ text: describeNow(progress), color, discardStdin: false, hideCursor: false });
    // What cannot take a line away again (a dumb terminal, the log of a CI) is shown none.
    if (!stopped && line.isEnabled) spinner = line.start();
  };
  return {
    async update(progress) {
      if (process.uptime() - start < PATIENCE) return;
      if (spinner !== undefined) spinner.text = describeNow(progress);
      else if (!asked) {
        asked = true;
        await draw(progress);
      }
    },
    clear: () => void spinner?.clear(),
    stop() {
      stopped = true;
      spinner?.stop();
    },
  };
}

/**
 * "building, pass 1 of 2: 120 MB of 260 MB (46.2 %), 1.08 s left, 130 MB/s", or as much of it as fits into so many
 * columns.
 */
export function describe(
  label: string,
  { bytes: done, total, pass }: Progress,
  seconds: number,
  columns: number,
  unit: Unit = BYTES,
): string {
  const name = pass === undefined ? label : `${label}, pass ${pass.number} of ${pass.of}`;
  const speed = done / seconds;
  const parts = [
    total === undefined || total === 0
      ? unit.amount(done)
      : `${unit.amount(done)} of ${unit.amount(total)} (${rate(done / total)})`,
    // Nobody can tell how long the rest takes before something is done.
    ...(total === undefined || total === 0 || done === 0
      ? []
      : [`${duration(Math.max(0, total - done) / speed)} left`]),
    unit.speed(speed),
  ];
  while (parts.length > 1 && `${name}: ${parts.join(', ')}`.length > columns) parts.pop();
  return `${name}: ${parts.join(', ')}`;
}
