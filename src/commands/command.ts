import type { Command } from 'commander';
import type { Explanation } from '../options/explanation.ts';
import type { ColourSetting } from '../terminal/colour.ts';

/** The exit statuses, as grep has them; a signal ends the process with 128 + its number. */
export const EXIT = {
  success: 0,
  /** `query` selected nothing, or `stats --check` found an unhealthy filter. */
  negative: 1,
  failure: 2,
  /** Somebody else changed a file that was being replaced, or read more than once: all is as they left it. */
  changed: 3,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Flags that every command has, or every one that reports what it did. */
export interface CommonFlags {
  readonly color?: ColourSetting;
  readonly quiet?: true;
}

/** What the program is called: by the first name, or by the second where another program has that. */
export const PROGRAM_NAMES = ['bloom', 'bloomery'] as const;

/** What src/commands/NAME.ts exports: its arguments and flags, what to do with them, and what is said beside them. */
export interface CommandModule {
  readonly explanation: Explanation;
  /** Adds arguments, flags and the action, which reports its exit status to `finish`; `wholeProgram` loads all commands. */
  define(command: Command, finish: (code: ExitCode) => void, wholeProgram: () => Promise<Command>): void;
}

/** Seconds since a time of the process, in whole microseconds. */
export function secondsSince(start: number): number {
  return Math.round((process.uptime() - start) * 1e6) / 1e6;
}
