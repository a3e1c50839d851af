// What a file of another system says about its keys: they are compared as they are, hashed with the seed that the file or its system
// states, and counted as the system counted them.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openFilterFile } from '../../src/formats/open.ts';
import { formatNamed } from '../../src/formats/registry.ts';
import { usedKernel } from '../kernel/kernels.ts';
import { SYSTEMS } from '../reference/formats/systems.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/formats', import.meta.url));

/** The seeds in RedisBloom's `bloom.c`, for 64 bits and for 32. */
const REDIS = 0xc6a4a7935bd1e995n;
const REDIS_32 = 0x9747b28cn;

/** Seeds other than 0, by the folder of the system or by the file. The test data state the tweak, and the seed of npm's filters. */
const SEEDS: Readonly<Record<string, bigint>> = {
  'bip37/tweak.filterload': 0x80000001n,
  // The first of its hashes has the seed plus one. The usual seed is 0x1234567890, of which XXH64 gets 32 bits.
  'npm-bloom-filters/p01.json': 0x34567891n,
  'npm-bloom-filters/seeded.json': 8n,
  'redis-rdb/bloom.rdb': REDIS,
  redisbloom: REDIS,
  'redisbloom/legacy32.resp': REDIS_32,
};

/** How many of the 200 keys were new to the filter, where the file tells. One poppy filter has other keys. */
const COUNTED: Readonly<Record<string, number>> = {
  dcso: 200,
  'hadoop/hudi-dynamic.b64': 200,
  hbase: 200,
  'hbase/gz-prefix.hfile': 106,
  poppy: 200,
  'poppy/speed-p10-c20000.poppy': 14_975,
  'postgres-bloom': 200,
  'pybloom/md5.pybloom-3': 199,
  'pybloom/scalable.pybloom-4': 149,
  'pybloom/sha.bloom': 200,
  'pybloom/xxh3.pybloom-4': 197,
  pyprobables: 200,
  'redis-rdb': 200,
  'redis-rdb/bloom.rdb': 199,
  redisbloom: 198,
  'redisbloom/append-only.aof': 200,
  'redisbloom/legacy32.resp': 196,
  'redisbloom/legacy64.dump': 197,
  'redisbloom/plain.bits': 200,
  'redisbloom/plain.dump': 200,
  'redisbloom/plain.resp': 200,
  'redisbloom/scaled.dump': 181,
  'redisbloom/scaled.resp': 181,
  'redisbloom-cuckoo': 200,
  'redisbloom-cuckoo/plain.cuckoo': 180,
  'rocksdb/v6-partitions.sst': 200,
  'rocksdb/v6.sst': 200,
};

/** What a table states of a file, or of all files of its system. */
const of = <T>(table: Readonly<Record<string, T>>, system: string, file: string) =>
  table[`${system}/${file}`] ?? table[system];

const files = Object.keys(SYSTEMS).flatMap((system) =>
  readdirSync(join(FIXTURES, system))
    .filter((file) => !file.endsWith('.answers'))
    .map((file) => [system, file] as const),
);

test.each(files)('%s/%s', async (system, file) => {
  const { variants = [] } = formatNamed(system);
  const names = [...variants.map(({ name }) => name), system];
  const format = names.find((name) => file.endsWith(`.${name}`));
  const opening = { format, keyType: SYSTEMS[system]?.keyType };
  const { description, close } = await openFilterFile(join(FIXTURES, system, file), 'query', opening, usedKernel());
  close();
  const { rules, inserted } = description;
  expect(rules).toMatchObject({ seed: of(SEEDS, system, file) ?? 0n, ignoreCase: false, trim: false });
  expect(inserted).toBe(of(COUNTED, system, file));
});
