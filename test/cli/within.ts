import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { runCommandLine } from '../../src/command-line.ts';
import * as descriptors from '../../src/io/descriptors.ts';
import { type Sink, standardError, standardOutput } from '../../src/io/sink.ts';
import type { Outcome } from '../starter.ts';

export interface Surroundings {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: string | Buffer;
  /** Whether the standard input is a pipe, not a file. */
  readonly isPiped: boolean;
}

/** Runs a command line in a folder with some variables, within this process. */
export async function outcomeWithin(
  args: readonly string[],
  { folder, env, stdin, isPiped }: Surroundings,
): Promise<Outcome> {
  const before = { folder: process.cwd(), env: process.env };
  const input = opened(stdin, isPiped);
  const descriptor = vi.spyOn(descriptors, 'STDIN', 'get').mockReturnValue(input as typeof descriptors.STDIN);
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
    descriptor.mockRestore();
    closeSync(input);
  }
}

/** A descriptor of a file that holds these bytes, or of a pipe out of which they come, and that has no name. */
function opened(bytes: string | Buffer, isPiped: boolean): number {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-stdin-'));
  const [name, pipe] = [join(folder, 'stdin'), join(folder, 'pipe')];
  writeFileSync(name, bytes);
  const file = openSync(name, 'r');
  if (isPiped) execFileSync('mkfifo', [pipe]);
  const descriptor = isPiped ? filledPipe(pipe, file) : file;
  rmSync(folder, { recursive: true });
  return descriptor;
}

/** The end of a pipe at which a process writes what a file has. */
function filledPipe(pipe: string, file: number): number {
  // The first end must be opened for both ways: each else waits for the other.
  const writer = openSync(pipe, 'r+');
  const reader = openSync(pipe, 'r');
  spawn('cat', { stdio: [file, writer, 'ignore'] });
  closeSync(writer);
  closeSync(file);
  return reader;
}

/** What is written to a sink until it is no longer kept. */
function keptFrom(sink: Sink) {
  const chunks: Buffer[] = [];
  const spy = vi.spyOn(sink, 'write').mockImplementation((bytes) => void chunks.push(Buffer.from(bytes)));
  return { text: () => Buffer.concat(chunks).toString(), end: () => spy.mockRestore() };
}
