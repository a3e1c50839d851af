import { fstatSync, readFileSync, statSync } from 'node:fs';

/** The descriptors that every process has. */
export const STDIN = 0;
export const STDOUT = 1;
export const STDERR = 2;

const ACCESS_MODE = 3;
const READ_WRITE = 2;

/**
 * Whether a descriptor was closed when we were started: Node puts /dev/null in its place, open for reading and writing.
 * A shell that means /dev/null opens it for one of the two; some programs do as Node does. False where /proc does not tell.
 */
export function wasClosed(fd: number): boolean {
  try {
    if (fstatSync(fd).rdev !== statSync('/dev/null').rdev) return false;
    const [, flags = ''] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & ACCESS_MODE) === READ_WRITE;
  } catch {
    return false;
  }
}

/** Whether what is written to a descriptor goes to another process. */
export function isPipe(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}
