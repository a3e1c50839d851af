import { spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
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
  const isEmptyFile = stdin.length === 0 && !isPiped;
  const input = isEmptyFile ? emptyFile() : opened(stdin, isPiped);
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
    if (!isEmptyFile) closeSync(input);
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

let sharedFile: number | undefined;

/** A descriptor of an empty file, which all commands without an input share: a new file takes half as long as they do. */
function emptyFile(): number {
  sharedFile ??= opened('', false);
  return sharedFile;
}

/** A descriptor of a file that holds these bytes, or of a pipe that contains them. Neither has a name. */
function opened(bytes: string | Buffer, isPiped: boolean): number {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-stdin-'));
  const name = join(folder, 'stdin');
  const descriptor = isPiped ? filledPipe(name, Buffer.from(bytes)) : filledFile(name, bytes);
  rmSync(folder, { recursive: true });
  return descriptor;
}

function filledFile(name: string, bytes: string | Buffer): number {
  writeFileSync(name, bytes);
  return openSync(name, 'r');
}

/** The end of a new pipe that has these bytes. A process writes those that the pipe has no room for. */
function filledPipe(name: string, bytes: Buffer): number {
  outcomeOf('mkfifo', [name], { input: '' });
  // The first end must be opened for both ways: each else waits for the other.
  const writer = openSync(name, constants.O_RDWR | constants.O_NONBLOCK);
  const reader = openSync(name, 'r');
  const rest = bytes.subarray(writtenAtOnce(writer, bytes));
  if (rest.length > 0) {
    const file = filledFile(`${name}-rest`, rest);
    // The process needs an end that waits until there is room.
    const waiting = openSync(name, 'r+');
    spawn('cat', { stdio: [file, waiting, 'ignore'] });
    closeSync(waiting);
    closeSync(file);
  }
  closeSync(writer);
  return reader;
}

/** Writes the bytes that a pipe has room for, and returns how many these are. */
function writtenAtOnce(pipe: number, bytes: Buffer): number {
  let length = 0;
  try {
    while (length < bytes.length) length += writeSync(pipe, bytes, length);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
  }
  return length;
}

/** What is written to a sink until it is no longer kept. */
function keptFrom(sink: Sink) {
  const chunks: Buffer[] = [];
  const spy = vi.spyOn(sink, 'write').mockImplementation((bytes) => void chunks.push(Buffer.from(bytes)));
  return { text: () => Buffer.concat(chunks).toString(), end: () => spy.mockRestore() };
}
