// An ssh daemon with its own port and keys, and the settings with which ssh takes it for several machines.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './port.ts';

export interface Daemon {
  /** The file for the -F flag of ssh. */
  readonly config: string;
  close(): Promise<void>;
}

/** Starts a daemon that accepts this user on machines of these names. Their PATH begins with the folder `bin`. */
export async function startDaemon(folder: string, machines: readonly string[], bin: string): Promise<Daemon> {
  mkdirSync(folder);
  const file = (name: string) => join(folder, name);
  const port = await freePort();
  for (const key of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(key)], { stdio: 'inherit' });
  const daemonSettings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('user.pub')}`,
    `PidFile ${file('pid')}`,
    'PermitRootLogin yes',
    'StrictModes no',
    `SetEnv PATH=${bin}:${process.env.PATH}`,
  ];
  const settings = [
    `Host ${machines.join(' ')}`,
    'HostName 127.0.0.1',
    `Port ${port}`,
    `IdentityFile ${file('user')}`,
    'IdentitiesOnly yes',
    'StrictHostKeyChecking no',
    'UserKnownHostsFile /dev/null',
    'LogLevel ERROR',
  ];
  writeFileSync(file('sshd_config'), daemonSettings.map((line) => `${line}\n`).join(''));
  writeFileSync(file('ssh_config'), settings.map((line) => `${line}\n`).join(''));
  // If the ssh service was never started, the folder that the daemon needs is missing.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
  const path = execFileSync('sh', ['-c', 'command -v sshd'], { encoding: 'utf8' }).trim();
  const daemon = spawn(path, ['-D', '-e', '-f', file('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  for await (const line of createInterface({ input: daemon.stderr })) {
    said.push(line);
    if (line.startsWith('Server listening')) {
      daemon.stderr.resume();
      return {
        config: file('ssh_config'),
        async close() {
          daemon.kill();
          await once(daemon, 'close');
        },
      };
    }
  }
  throw new Error(`sshd has ended: ${said.join('; ')}`);
}
