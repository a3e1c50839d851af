import { STDERR } from '../io/descriptors.ts';
import { isTerminal } from '../io/terminal.ts';
import { byteSpeed, bytes, duration, rate } from '../quantities.ts';
import { type ColourSetting, isColoured } from './colour.ts';

/** The progress of some work in bytes. `total` is undefined for pipes. */
export interface Progress {
  readonly bytes: number;
  readonly total: number | undefined;
  /** The number of the present pass, from 1, and of all passes. */
  readonly pass?: { readonly number: number; readonly of: number } | undefined;
}

/** How a number of bytes is shown. */
export interface Unit {
  amount(bytes: number): string;
  speed(bytesPerSecond: number): string;
}

const BYTES: Unit = { amount: bytes, speed: byteSpeed };

export interface ProgressLine {
  /** Draws the line. The caller must await the result, because the first call loads ora. */
  update(progress: Progress): Promise<void>;
  /** Removes the line for other output. The next update draws it again. */
  clear(): void;
  /** Removes the line for good. */
  stop(): void;
}

/** Seconds of work before the progress is shown. */
const PATIENCE = 0.5;

/** Columns of the spinner, with a space on each side. */
const SPINNER_COLUMNS = 3;

/** A line about the progress on the standard error, if that is a terminal. */
export function progressLine(label: string, constraints: ColourSetting | undefined, unit: Unit = BYTES): ProgressLine {
  const start = process.uptime();
  let spinner: { text: string; clear(): unknown; stop(): unknown } | undefined;
  let isLoading = false;
  let stopped = false;
  const describeNow = (progress: Progress) =>
    describe(label, progress, process.uptime() - start, process.stderr.columns - SPINNER_COLUMNS, unit);
  // ora also draws on a redirected standard error. On a terminal of zero width it counts lines without end.
  const draw = async (progress: Progress) => {
    if (!(await isTerminal(STDERR)) || !process.stderr.columns) return;
    const { default: ora } = await import('ora');
    const color = (await isColoured(STDERR, constraints)) ? 'cyan' : false;
    const line = ora({ text: describeNow(progress), color, discardStdin: false, hideCursor: false });
    // Nothing is drawn if a line cannot be removed again, as on a dumb terminal or in the log of a CI system.
    if (!stopped && line.isEnabled) spinner = line.start();
  };
  return {
    async update(progress) {
      if (process.uptime() - start < PATIENCE) return;
      if (spinner !== undefined) spinner.text = describeNow(progress);
      else if (!isLoading) {
        isLoading = true;
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
 * "building, pass 1 of 2: 120 MB of 260 MB (46.2 %), 1.08 s left, 130 MB/s", or as much of it as fits into `columns`.
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
    // The remaining time is unknown before some work is done.
    ...(total === undefined || total === 0 || done === 0
      ? []
      : [`${duration(Math.max(0, total - done) / speed)} left`]),
    unit.speed(speed),
  ];
  while (parts.length > 1 && `${name}: ${parts.join(', ')}`.length > columns) parts.pop();
  return `${name}: ${parts.join(', ')}`;
}
