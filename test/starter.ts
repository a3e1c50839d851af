import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STARTER = fileURLToPath(new URL('starter.cjs', import.meta.url));

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

export interface StartOptions {
  readonly input: string | Buffer;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Pipes to the process that starts commands. */
interface Starter {
  readonly requests: number;
  readonly answers: number;
}

let starter: Starter | undefined;

/**
 * Runs a command to its end. A small process starts it: the test process holds up to a gigabyte, and the system would copy its page
 * tables for each command.
 */
export function outcomeOf(command: string, args: readonly string[], { input, ...options }: StartOptions): Outcome {
  starter ??= startStarter();
  const request = { command, args, input: Buffer.from(input).toString('base64'), ...options };
  writeFileSync(starter.requests, `${JSON.stringify(request)}\n`);
  return JSON.parse(lineFrom(starter.answers));
}

/** Named pipes, because Node's own pipes cannot be read synchronously. */
function startStarter(): Starter {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-starter-'));
  const [requests, answers] = [join(folder, 'requests'), join(folder, 'answers')];
  execFileSync('mkfifo', [requests, answers]);
  spawn(process.execPath, [STARTER, requests, answers], { stdio: ['ignore', 'ignore', 'inherit'] }).unref();
  // Opening one end waits for the other end.
  const opened = { requests: openSync(requests, 'w'), answers: openSync(answers, 'r') };
  rmSync(folder, { recursive: true });
  return opened;
}

const CHUNK = 65536;
const NEWLINE = 10;

function lineFrom(pipe: number): string {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const length = readSync(pipe, chunk);
    if (length === 0) throw new Error('what starts commands has ended');
    chunks.push(chunk.subarray(0, length));
    if (chunk[length - 1] === NEWLINE) return Buffer.concat(chunks).toString();
  }
}
