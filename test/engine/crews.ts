// Crews that are called for a few bytes already, so that small inputs are divided among threads.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Crew, type CrewPlan, createCrew } from '../../src/engine/crew.ts';

/** The threads read from so many bytes on, or all there is, in chunks of some bytes. */
export function eager(chunk: number, worthwhile = 0): CrewPlan {
  return { file: new URL('../../dist/js/worker.cjs', import.meta.url), worthwhile, chunk };
}

/**
 * Lets some work have a crew of so many threads. Throws an error if the work did not start them, where that is certain:
 * it would say nothing about threads.
 */
export async function withCrewOf<T>(
  threads: number,
  plan: CrewPlan,
  work: (crew: Crew) => Promise<T>,
  isCertain = true,
): Promise<T> {
  let started = 0;
  const count = () => {
    started++;
  };
  process.on('worker', count);
  const crew = createCrew(threads, plan);
  try {
    const result = await work(crew);
    const expected = threads > 1 ? threads : 0;
    if (isCertain && started !== expected) throw new Error(`${started} threads were started, not ${expected}`);
    return result;
  } finally {
    process.removeListener('worker', count);
    await crew.close();
  }
}

/** Lets work read named pipes that somebody writes these files into, one each; returns what it does. */
export async function withPipes<T>(files: readonly string[], work: (pipes: string[]) => Promise<T>): Promise<T> {
  const pipes = files.map((file, i) => `${file}.${i}.pipe`);
  const script =
    'while IFS= read -r from && IFS= read -r to; do rm -f "$to"; mkfifo "$to"; cat "$from" > "$to" & done; echo; wait';
  const writer = spawn('sh', ['-c', script], { stdio: 'pipe' });
  const end = once(writer, 'exit');
  writer.stdin.end(files.map((file, i) => `${file}\n${pipes[i]}\n`).join(''));
  await once(writer.stdout, 'data');
  const result = await work(pipes);
  await end;
  return result;
}
