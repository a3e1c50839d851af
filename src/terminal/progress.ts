import { STDERR } from '../io/descriptors.ts';
import { isTerminal } from '../io/terminal.ts';
import { bytes, duration, rate } from './quantities.ts';

/** How far some work is; `total` is unknown for pipes. Bytes. */
export interface Progress {
  readonly bytes: number;
  readonly total: number | undefined;
}

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

/** A line on the terminal's standard error that says how far the work is; nothing elsewhere. */
export function progressLine(label: string): ProgressLine {
  const start = process.uptime();
  let spinner: { text: string; clear(): unknown; stop(): unknown } | undefined;
  let asked = false;
  let stopped = false;
  // ora draws on a redirected standard error as well, and counts lines without end on a terminal of no width.
  const draw = async (text: string) => {
    if (!(await isTerminal(STDERR)) || !process.stderr.columns) return;
    const { default: ora } = await import('ora');
    const line = ora({ text, discardStdin: false, hideCursor: false });
    // What cannot take a line away again (a dumb terminal, the log of a CI) is shown none.
    if (!stopped && line.isEnabled) spinner = line.start();
  };
  return {
    async update(progress) {
      const elapsed = process.uptime() - start;
      if (elapsed < PATIENCE) return;
      const text = describe(label, progress, elapsed);
      if (spinner !== undefined) spinner.text = text;
      else if (!asked) {
        asked = true;
        await draw(text);
      }
    },
    clear: () => void spinner?.clear(),
    stop() {
      stopped = true;
      spinner?.stop();
    },
  };
}

/** "building: 120 MB of 260 MB (46.2 %), 130 MB/s, 1.08 s left" */
export function describe(label: string, { bytes: done, total }: Progress, seconds: number): string {
  const speed = done / seconds;
  if (total === undefined || total === 0) return `${label}: ${bytes(done)}, ${bytes(speed)}/s`;
  const left = Math.max(0, total - done) / speed;
  return `${label}: ${bytes(done)} of ${bytes(total)} (${rate(done / total)}), ${bytes(speed)}/s, ${duration(left)} left`;
}
