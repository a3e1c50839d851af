import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { runCommandLine } from '../../src/command-line.ts';
import * as descriptors from '../../src/io/descriptors.ts';
import { type Sink, standardError, standardOutput } from '../../src/io/sink.ts';
import type { Outcome } from '../starter.ts';

/** Runs a command line in a folder with some variables, within this process. Its standard input is a file with these bytes. */
export async function outcomeWithin(
  args: readonly string[],
  { folder, env, stdin }: { folder: string; env: NodeJS.ProcessEnv; stdin: string | Buffer },
): Promise<Outcome> {
  const before = { folder: process.cwd(), env: process.env };
  const input = opened(stdin);
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

/** A descriptor of a file that holds these bytes, and has no name. */
function opened(bytes: string | Buffer): number {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-stdin-'));
  const name = join(folder, 'stdin');
  writeFileSync(name, bytes);
  const descriptor = openSync(name, 'r');
  rmSync(folder, { recursive: true });
  return descriptor;
}

/** What is written to a sink until it is no longer kept. */
function keptFrom(sink: Sink) {
  const chunks: Buffer[] = [];
  const spy = vi.spyOn(sink, 'write').mockImplementation((bytes) => void chunks.push(Buffer.from(bytes)));
  return { text: () => Buffer.concat(chunks).toString(), end: () => spy.mockRestore() };
}
