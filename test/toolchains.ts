// Compilers of other languages for the project's small programs, if they are installed.

import { exec, spawnSync } from 'node:child_process';

export interface Toolchain {
  /** A shell command that shows that the compiler is installed, and its version. */
  readonly version: string;
  /** A command of the shell. */
  readonly compile: string;
}

/** The first line that a version command prints; undefined if it fails. */
export function versionOf({ version }: { readonly version: string }): string | undefined {
  const { status, stdout } = spawnSync('/bin/sh', ['-c', version], { encoding: 'utf8' });
  const [line = ''] = stdout.trim().split('\n');
  return status === 0 && line !== '' ? line : undefined;
}

/** Compiles a program, and returns whether this succeeded. Prints what is left out, and why. */
export async function isCompiled(name: string, toolchain: Toolchain): Promise<boolean> {
  const version = versionOf(toolchain);
  if (version === undefined) {
    console.log(`${name}: no toolchain, left out`);
    return false;
  }
  const error = await failureOf(toolchain.compile);
  console.log(`${name}: ${version}${error === undefined ? '' : `, left out: ${error}`}`);
  return error === undefined;
}

/** The message of a failed shell command; undefined if it succeeds. */
export function failureOf(command: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    exec(command, { shell: '/bin/sh' }, (error, stdout, stderr) => {
      const lines = `${stderr}\n${stdout}`.split('\n');
      const said = lines.find((line) => /error/i.test(line)) ?? lines.find((line) => line.trim() !== '');
      resolve(error === null ? undefined : (said ?? error.message));
    });
  });
}
