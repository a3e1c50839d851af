import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { runCommandLine } from '../../src/command-line.ts';
import * as pools from '../../src/engine/threads/worker-pool.ts';
import * as descriptors from '../../src/io/descriptors.ts';
import { type Sink, standardError, standardOutput } from '../../src/io/sink.ts';
import { eager } from '../engine/threads/worker-pools.ts';
import { type Outcome, outcomeOf } from '../starter.ts';

export interface Surroundings {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: string | Buffer;
  /** Whether the standard input is a pipe, not a file. */
  readonly isPiped: boolean;
  /** Bytes of a chunk, if threads read inputs of any size. Otherwise they read only large inputs. */
  readonly chunk: number | undefined;
}

/** Runs a command line in a folder with some variables, within this process. */
export async function outcomeWithin(
  args: readonly string[],
  { folder, env, stdin, isPiped, chunk }: Surroundings,
): Promise<Outcome> {
  const before = { folder: process.cwd(), env: process.env };
  const input = opened(stdin, isPiped);
  const descriptor = vi.spyOn(descriptors, 'STDIN', 'get').mockReturnValue(input as typeof descriptors.STDIN);
  const pool = chunk === undefined ? undefined : eagerPools(chunk);
  const [stdout, stderr] = [keptFrom(standardOutput), keptFrom(standardError)];
  try {
    process.chdir(folder);
    process.env = env;
    const status = await runCommandLine(args);
    return { stdout: stdout.text(), stderr: stderr.text(), status };
  } finally {
    process.env = before.env;
    process.chdir(before.folder);
    stdout.end();
    stderr.end();
    pool?.mockRestore();
    descriptor.mockRestore();
    closeSync(input);
  }
}

/** Lets threads divide inputs of any size in chunks of so many bytes. */
function eagerPools(chunk: number) {
  return vi.spyOn(pools, 'withWorkerPool').mockImplementation(async (threads, work) => {
    const pool = pools.createWorkerPool(threads, eager(chunk));
    try {
      const result = await work(pool);
      if (threads > 1 && !pool.isStarted()) throw new Error('no threads were started');
      return result;
    } finally {
      await pool.close();
    }
  });
}

/** A descriptor of a file that holds these bytes, or of a pipe that contains them. Neither has a name. */
function opened(bytes: string | Buffer, isPiped: boolean): number {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-stdin-'));
  const [name, pipe] = [join(folder, 'stdin'), join(folder, 'pipe')];
  writeFileSync(name, bytes);
  const file = openSync(name, 'r');
  const descriptor = isPiped ? filledPipe(pipe, file) : file;
  rmSync(folder, { recursive: true });
  return descriptor;
}

/** The end of a new pipe at which a process writes the bytes of a file. */
function filledPipe(pipe: string, file: number): number {
  outcomeOf('mkfifo', [pipe], { input: '' });
  // The first end must be opened for both ways: each else waits for the other.
  const writer = openSync(pipe, 'r+');
  const reader = openSync(pipe, 'r');
  const { size } = fstatSync(file);
  if (size <= PIPE_BYTES) writeSync(writer, readFileSync(file));
  else spawn('cat', { stdio: [file, writer, 'ignore'] });
  closeSync(writer);
  closeSync(file);
  return reader;
}

/** The bytes that every pipe holds, although nobody reads from it. */
const PIPE_BYTES = 4096;

/** What is written to a sink until it is no longer kept. */
function keptFrom(sink: Sink) {
  const chunks: Buffer[] = [];
  const spy = vi.spyOn(sink, 'write').mockImplementation((bytes) => void chunks.push(Buffer.from(bytes)));
  return { text: () => Buffer.concat(chunks).toString(), end: () => spy.mockRestore() };
}
