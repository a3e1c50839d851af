// Queries of a filter on a distant server, beside curl, which downloads the whole file.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type DelayedServer, delayedServer } from './delayed-server.ts';
import { writeLines } from './lines.ts';
import { BLOOM, median, race, short } from './runs.ts';

/** Milliseconds per round trip, as between continents. */
const ROUND_TRIP = 100;

/** Keys per query. Half of them are in the filter. */
const QUERIES = [1, 100, 10_000, 1_000_000];

/** Prints the requests, bytes and seconds of each query, without a copy of the table and with one. */
export async function printHttp(folder: string, items: number, rounds: number): Promise<void> {
  const [members, filter] = [join(folder, 'members'), join(folder, 'filter')];
  writeLines(members, 1e6, () => 'key');
  race({ build: `${BLOOM} build -n ${items} ${members} -o ${filter}` }, 1, folder);
  const server = await delayedServer(filter, ROUND_TRIP);
  const size = (statSync(filter).size / 1e6).toFixed(0);
  console.log(`\na filter for ${short(items)} keys, ${size} MB, on a server with a round trip of ${ROUND_TRIP} ms`);
  try {
    await print('curl, the whole file', `curl -s ${server.url} -o ${join(folder, 'fetched')}`, server, rounds);
    for (const keys of QUERIES) {
      const asked = join(folder, `asked-${keys}`);
      writeLines(
        asked,
        keys,
        (line) => (line % 2 === 0 ? 'key' : 'not'),
        (line) => line * Math.floor(1e6 / keys),
      );
      for (const [title, cache] of [
        ['', join(folder, 'none', 'relative')],
        [', table kept', join(folder, 'cache')],
      ] as const) {
        const forget = title === '' ? `rm -rf ${cache}; ` : '';
        const command = `${forget}XDG_CACHE_HOME=${cache} ${BLOOM} query -c ${server.url} ${asked}`;
        if (title !== '') await run(command, server);
        await print(`${keys} ${keys === 1 ? 'key' : 'keys'}${title}`, command, server, rounds);
      }
    }
  } finally {
    server.close();
  }
}

interface Run {
  readonly requests: number;
  readonly bytes: number;
  readonly seconds: number;
}

async function run(command: string, server: DelayedServer): Promise<Run> {
  server.traffic();
  const start = performance.now();
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = await once(child, 'close');
  if (status !== 0 && status !== 1) throw new Error(`${command} has failed`);
  return { ...server.traffic(), seconds: (performance.now() - start) / 1000 };
}

async function print(title: string, command: string, server: DelayedServer, rounds: number): Promise<void> {
  const runs: Run[] = [];
  for (let round = 0; round < rounds; round++) runs.push(await run(command, server));
  const middle = (of: (run: Run) => number) => median(runs.map(of));
  const cells = [
    `  ${title}`.padEnd(34),
    `${middle(({ requests }) => requests)} requests`.padStart(14),
    `${(middle(({ bytes }) => bytes) / 1e6).toFixed(1)} MB`.padStart(12),
    `${middle(({ seconds }) => seconds).toFixed(2)} s`.padStart(10),
  ];
  console.log(cells.join(''));
}
