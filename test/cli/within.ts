import { spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { vi } from 'vitest';
import { runCommandLine } from '../../src/command-line.ts';
import * as pools from '../../src/engine/threads/worker-pool.ts';
import * as descriptors from '../../src/io/descriptors.ts';
import { type Sink, standardError, standardOutput } from '../../src/io/sink.ts';
import { eager, withUsedPoolOf } from '../engine/threads/worker-pools.ts';
import { type Outcome, outcomeOf } from '../starter.ts';

export interface Surroundings {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: string | Buffer;
  /** Whether the standard input is a pipe, not a file. */
  readonly isPiped: boolean;
  /** Bytes per chunk, if threads read inputs of any size. Otherwise they read only large inputs. */
  readonly chunk: number | undefined;
}

/** Runs a command line within this process, in a folder and with some variables. */
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
    if (status === 2) expectRemedies(stderr.text());
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

/** Errors that say what to do by saying what is wrong. */
const EVIDENT =
  /no such file|too long|is a directory|input\/output error|permission denied|the server (requires a login|denies access)|could not be read/;

/** Throws an error if a line of an error says neither what to do nor what evidently has to be done. */
function expectRemedies(stderr: string): void {
  for (const line of stripVTControlCharacters(stderr).split('\n'))
    if (/^bloom: (?!warning)/.test(line) && !line.includes('; ') && !EVIDENT.test(line))
      throw new Error(`nothing says what to do: ${line}`);
}

/** Lets threads divide inputs of any size into chunks of this many bytes. */
function eagerPools(chunk: number) {
  return vi
    .spyOn(pools, 'withWorkerPool')
    .mockImplementation((threads, work) => withUsedPoolOf(threads, eager(chunk), work));
}

let sharedFile: number | undefined;

/** A descriptor of an empty file, which all commands without input share. Creating a file takes half as long as a command. */
function emptyFile(): number {
  sharedFile ??= opened('', false);
  return sharedFile;
}

/** A descriptor of a file or a pipe that contains these bytes. Neither has a name. */
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

/** The read end of a new pipe that contains these bytes. A process writes the bytes that do not fit. */
function filledPipe(name: string, bytes: Buffer): number {
  outcomeOf('mkfifo', [name], { input: '' });
  // The first end is opened for reading and writing: otherwise each end waits for the other.
  const writer = openSync(name, constants.O_RDWR | constants.O_NONBLOCK);
  const reader = openSync(name, 'r');
  const rest = bytes.subarray(writtenAtOnce(writer, bytes));
  if (rest.length > 0) {
    const file = filledFile(`${name}-rest`, rest);
    // The process needs an end that waits while the pipe is full.
    const waiting = openSync(name, 'r+');
    spawn('cat', { stdio: [file, waiting, 'ignore'] });
    closeSync(waiting);
    closeSync(file);
  }
  closeSync(writer);
  return reader;
}

/** Writes the bytes that fit into a pipe, and returns their number. */
function writtenAtOnce(pipe: number, bytes: Buffer): number {
  let length = 0;
  try {
    while (length < bytes.length) length += writeSync(pipe, bytes, length);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
  }
  return length;
}

/** Collects what is written to a sink, until `end` is called. */
function keptFrom(sink: Sink) {
  const chunks: Buffer[] = [];
  const spy = vi.spyOn(sink, 'write').mockImplementation((bytes) => void chunks.push(Buffer.from(bytes)));
  return { text: () => Buffer.concat(chunks).toString(), end: () => spy.mockRestore() };
}
