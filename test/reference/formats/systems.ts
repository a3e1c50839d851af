import { binaryFuse } from './binary-fuse.ts';
import { bip37 } from './bip37.ts';
import { bitsAndBlooms } from './bits-and-blooms.ts';
import { cassandra } from './cassandra.ts';
import { datasketches } from './datasketches.ts';
import { dcso } from './dcso.ts';
import { ethereum } from './ethereum.ts';
import { guava } from './guava.ts';
import { hadoop } from './hadoop.ts';
import { hbase } from './hbase.ts';
import { leveldb } from './leveldb.ts';
import { marcan } from './marcan.ts';
import { npmBloomFilters } from './npm-bloom-filters.ts';
import { orc } from './orc.ts';
import { parquet } from './parquet.ts';
import { poppy } from './poppy.ts';
import { postgresBloom } from './postgres-bloom.ts';
import { pybloom } from './pybloom.ts';
import { pyprobables } from './pyprobables.ts';
import { redisDatabase } from './redis-rdb.ts';
import { redisbloom } from './redisbloom.ts';
import { redisCuckoo } from './redisbloom-cuckoo.ts';
import { rocksdb } from './rocksdb.ts';
import { spark } from './spark.ts';
import type { System } from './system.ts';

/** The oracles of other systems, by format. The folders of the fixtures have the same names. */
export const SYSTEMS: Readonly<Record<string, System>> = {
  'binary-fuse': binaryFuse,
  bip37,
  'bits-and-blooms': bitsAndBlooms,
  cassandra,
  datasketches,
  dcso,
  ethereum,
  guava,
  hadoop,
  hbase,
  leveldb,
  'npm-bloom-filters': npmBloomFilters,
  orc,
  parquet,
  poppy,
  marcan,
  'postgres-bloom': postgresBloom,
  pybloom,
  'redis-rdb': redisDatabase,
  pyprobables,
  redisbloom,
  'redisbloom-cuckoo': redisCuckoo,
  rocksdb,
  spark,
};
