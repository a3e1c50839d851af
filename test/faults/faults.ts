import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { isCompiled } from '../toolchains.ts';

/** A system call that fails: its name or "any", its number from 1 on, and the error, or 0 for a kill. */
export interface Fault {
  readonly call: string;
  readonly at: number;
  readonly errno: number;
}

/** Makes system calls of commands fail. */
export interface Faults {
  /** Whether this machine has a compiler for it. */
  readonly arePossible: boolean;
  /** Variables for a command whose calls on files below a folder fail in this way. Without a fault they only log the calls. */
  variables(under: string, fault?: Fault): Record<string, string>;
  /** The names of the calls since the last call of this function, in their order. */
  logged(): readonly string[];
}

const SOURCE = fileURLToPath(new URL('faults.c', import.meta.url));

export async function createFaults(): Promise<Faults> {
  const folder = mkdtempSync(join(tmpdir(), 'bloom-faults-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const [library, log] = [join(folder, 'faults.so'), join(folder, 'log')];
  const compile = `cc -shared -fPIC -o '${library}' '${SOURCE}' -ldl`;
  const arePossible = await isCompiled('system calls that fail', { version: 'cc --version', compile });
  return {
    arePossible,
    variables: (under, fault) => ({
      LD_PRELOAD: library,
      FAULTS_UNDER: under,
      ...(fault === undefined
        ? { FAULTS_LOG: log }
        : { FAULTS_CALL: fault.call, FAULTS_AT: String(fault.at), FAULTS_ERRNO: String(fault.errno) }),
    }),
    logged() {
      if (!existsSync(log)) return [];
      const calls = readFileSync(log, 'utf8').trimEnd().split('\n');
      rmSync(log);
      return calls;
    },
  };
}
