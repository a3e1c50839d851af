import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { errno } from '../errors.ts';
import { beginningOfProcess } from './system.ts';

/** A process that has a file for itself, as it is written beside that. */
export interface Holder {
  readonly pid: number;
  /** When it began, as its system counts: so another process with the same number is not taken for it. */
  readonly begun: string;
  readonly host: string;
}

/** Stands for the beginning of a process where no system tells it. */
const UNTOLD = '-';

/** What this process writes. */
export function ownNote(): string {
  return `${process.pid} ${beginningOfProcess(process.pid) ?? UNTOLD} ${hostname()}\n`;
}

/** Undefined where there is no note, or not all of it. */
export function holderIn(note: string): Holder | undefined {
  const [, pid, begun = '', host = ''] = /^(\d+) (\S+) (.*)\n$/.exec(textOf(note)) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), begun, host };
}

function textOf(note: string): string {
  try {
    return readFileSync(note, 'utf8');
  } catch (error) {
    if (errno(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Whether a process is one of this machine. */
export function isHere({ host }: Holder): boolean {
  return host === hostname();
}

/** Whether a process of this machine has ended. */
export function hasEnded({ pid, begun }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It may be another user's.
    if (errno(error) === 'ESRCH') return true;
  }
  return (beginningOfProcess(pid) ?? UNTOLD) !== begun;
}
