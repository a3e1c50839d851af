import { vi } from 'vitest';
import { runCommandLine } from '../../src/command-line.ts';
import { type Sink, standardError, standardOutput } from '../../src/io/sink.ts';
import type { Outcome } from '../starter.ts';

/** Runs a command line in a folder with some variables, within this process. It reads no standard input. */
export async function outcomeWithin(args: readonly string[], folder: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const before = { folder: process.cwd(), env: process.env };
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
  }
}

/** What is written to a sink until it is no longer kept. */
function keptFrom(sink: Sink) {
  const chunks: Buffer[] = [];
  const spy = vi.spyOn(sink, 'write').mockImplementation((bytes) => void chunks.push(Buffer.from(bytes)));
  return { text: () => Buffer.concat(chunks).toString(), end: () => spy.mockRestore() };
}
