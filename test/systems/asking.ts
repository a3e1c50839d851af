// Makes a driver query a real system. The driver reads requests, one per line, with tabs between the words:
//
//   has SORT FILE TYPE KEYS              answers 0 or 1 for each key
//   make SORT FILE TYPE KEYS ITEMS RATE  writes the system's own filter of some keys
//   merge SORT FILE ONE OTHER            writes the union of two filters
//   estimate SORT FILE                   answers how many keys a sketch has
//   write SORT FILE REPORT               writes a file of columns with filters, and what is in which
//
// SORT is the name of a filter for --format, TYPE the name of its keys for --key-type, and KEYS a file of keys that each end with NUL.
// The driver answers each request with one line. A line that begins with "error" states why it cannot answer.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { DRIVERS, type Driver, type DriverName } from './drivers.ts';

/** The answers to some requests, in order. Throws an error for a request without an answer. */
export async function answersOf(name: DriverName, requests: readonly (readonly string[])[]): Promise<string[]> {
  const { program, variables }: Driver = DRIVERS[name];
  const [command, ...args] = program;
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...variables },
  });
  const ended = once(child, 'close');
  child.stdin.end(requests.map((words) => `${words.join('\t')}\n`).join(''));
  const answers = (await text(child.stdout)).split('\n').slice(0, -1);
  await ended;
  if (answers.length !== requests.length)
    throw new Error(`${name} has answered ${answers.length} of ${requests.length}`);
  const failed = answers.findIndex((answer) => answer.startsWith('error'));
  if (failed >= 0) throw new Error(`${name}: ${requests[failed]?.join(' ')}: ${answers[failed]}`);
  return answers;
}
