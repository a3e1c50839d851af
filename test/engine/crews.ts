// Crews that are called for a few bytes already, so that small inputs are divided among threads.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Crew, type CrewPlan, createCrew } from '../../src/engine/crew.ts';

/** The threads read from so many bytes on, or all there is, in chunks of some bytes. */
export function eager(chunk: number, worthwhile = 0): CrewPlan {
  return { file: new URL('../../dist/js/worker.cjs', import.meta.url), worthwhile, chunk };
}

export async function withCrewOf<T>(threads: number, plan: CrewPlan, work: (crew: Crew) => Promise<T>): Promise<T> {
  const crew = createCrew(threads, plan);
  try {
    return await work(crew);
  } finally {
    await crew.close();
  }
}

/** Lets work read named pipes that somebody writes these files into; returns what it does. */
export async function withPipes<T>(files: readonly string[], work: (pipes: string[]) => Promise<T>): Promise<T> {
  const pipes = files.map((file, i) => `${file}.${i}.pipe`);
  const script = 'rm -f "$1"; mkfifo "$1"; echo; exec cat "$0" > "$1"';
  const writers = files.map((file, i) => spawn('sh', ['-c', script, file, pipes[i] ?? ''], { stdio: 'pipe' }));
  const ends = writers.map((writer) => once(writer, 'exit'));
  await Promise.all(writers.map(({ stdout }) => once(stdout, 'data')));
  const result = await work(pipes);
  await Promise.all(ends);
  return result;
}
