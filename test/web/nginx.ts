// nginx as a process of this user, with a recipe of the documents in its configuration.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export interface Nginx {
  readonly origin: string;
  /** Status and range of each request since the last call. */
  requests(): Promise<string[]>;
  close(): Promise<void>;
}

/** What nginx would keep in folders of the system. */
const FOLDERS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Serves a folder. Compression is on, as in the configuration of Debian, so a location has to turn it off. */
export async function startNginx(folder: string, locations: readonly string[]): Promise<Nginx> {
  const [port, log] = [await freePort(), join(folder, 'access.log')];
  const origin = `http://127.0.0.1:${port}`;
  const configuration = `
daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
events {}
http {
  log_format requests "$status $http_range";
  access_log ${log} requests;
  ${FOLDERS.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n  ')}
  gzip on;
  gzip_types *;
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    log_not_found off;
    location = /logged { access_log off; return 204; }
    ${locations.join('\n')}
  }
}`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration);
  const child = spawn('nginx', ['-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  // One process serves all requests in turn, so the requests before this one are in the log.
  const logged = () => fetch(`${origin}/logged`).then(({ status }) => status === 204);
  while (!(await logged().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with status ${child.exitCode}`);
    await setTimeout(20);
  }
  let seen = 0;
  return {
    origin,
    async requests() {
      await logged();
      const all = readFileSync(log, 'utf8').split('\n').slice(0, -1);
      const since = all.slice(seen);
      seen = all.length;
      return since;
    },
    async close() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return address.port;
}
