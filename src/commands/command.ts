import type { Command } from 'commander';
import type { Explanation } from '../options/explanation.ts';
import type { ColourSetting } from '../terminal/colour.ts';

/** The exit statuses, the same as those of grep. After a signal, the status is 128 plus its number. */
export const EXIT = {
  success: 0,
  /** `query` selected nothing, or `stats --check` found an unhealthy filter. */
  negative: 1,
  failure: 2,
  /** Another process changed a file that was being replaced or that was read several times. That change was kept. */
  changed: 3,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Flags of every command, or of every command that prints a report. */
export interface CommonFlags {
  readonly color?: ColourSetting;
  readonly quiet?: true;
}

/** The names of the program. The second is for systems where another program has the first name. */
export const PROGRAM_NAMES = ['bloom', 'bloomery'] as const;

/** The exports of src/commands/NAME.ts: arguments and flags of a command, its action, and its explanation. */
export interface CommandModule {
  readonly explanation: Explanation;
  /**
   * Adds arguments, flags and the action. The action calls `finish` with its exit status. `wholeProgram` loads all
   * commands.
   */
  define(command: Command, finish: (code: ExitCode) => void, wholeProgram: () => Promise<Command>): void;
}

/** Seconds since a time of the process, in whole microseconds. */
export function secondsSince(start: number): number {
  return Math.round((process.uptime() - start) * 1e6) / 1e6;
}
