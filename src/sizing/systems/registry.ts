import { BIP37_SIZING } from './bip37.ts';
import { BITS_AND_BLOOMS_SIZING } from './bits-and-blooms.ts';
import { cassandraSizing } from './cassandra.ts';
import { DATASKETCHES_SIZING } from './datasketches.ts';
import { DCSO_SIZING } from './dcso.ts';
import { GUAVA_33_4_SIZING, GUAVA_MITZ32_SIZING, GUAVA_SIZING } from './guava.ts';
import { HBASE_SIZING } from './hbase.ts';
import { HADOOP_SIZING, HUDI_SIZING } from './hudi.ts';
import { LEVELDB_SIZING } from './leveldb.ts';
import { MARCAN_SIZING } from './marcan.ts';
import { ORC_SIZING } from './orc.ts';
import { PARQUET_JAVA_SIZING, PARQUET_SIZING } from './parquet.ts';
import { OPTIMISATIONS, poppySizing } from './poppy.ts';
import { pybloomSizing } from './pybloom.ts';
import { redisBloomSizing } from './redisbloom.ts';
import { ROCKSDB_LEGACY_SIZING, ROCKSDB_SIZING } from './rocksdb.ts';
import { SPARK_1_SIZING, SPARK_2_SIZING, SPARK_SIZING } from './spark.ts';
import type { SystemSizing } from './system.ts';

/** The sizing of every system, including systems whose filters bloom does not make. */
export const SYSTEM_SIZINGS: readonly SystemSizing[] = [
  DCSO_SIZING,
  ...OPTIMISATIONS.map((option) => poppySizing(option === 'none' ? 'poppy' : `poppy-${option}`, option)),
  GUAVA_SIZING,
  GUAVA_33_4_SIZING,
  GUAVA_MITZ32_SIZING,
  SPARK_SIZING,
  SPARK_1_SIZING,
  SPARK_2_SIZING,
  redisBloomSizing('redisbloom', true, 'commands'),
  redisBloomSizing('redisbloom-nonscaling', false, 'commands'),
  redisBloomSizing('redisbloom-raw', true, 'raw'),
  redisBloomSizing('redisbloom-dump', true, 'dumped'),
  BITS_AND_BLOOMS_SIZING,
  PARQUET_SIZING,
  PARQUET_JAVA_SIZING,
  ORC_SIZING,
  ...['cassandra', 'cassandra-2', 'cassandra-3', 'cassandra-4'].map(cassandraSizing),
  ROCKSDB_SIZING,
  ROCKSDB_LEGACY_SIZING,
  LEVELDB_SIZING,
  HBASE_SIZING,
  HUDI_SIZING,
  HADOOP_SIZING,
  DATASKETCHES_SIZING,
  ...['pybloom', 'pybloom-3', 'pybloom-4'].map(pybloomSizing),
  BIP37_SIZING,
  MARCAN_SIZING,
];
