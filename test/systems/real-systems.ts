import type { DriverName } from './drivers.ts';

/** The drivers for a system. */
export interface RealSystem {
  /** The drivers that read its files. */
  readonly readers: readonly DriverName[];
  /** The driver that makes the same files, if any does. */
  readonly maker?: DriverName;
  /** The driver that unites filters, if the system can. */
  readonly merger?: DriverName;
  /** Whether its keys are text. */
  readonly isOfText?: true;
}

const JAVA: RealSystem = { readers: ['java', 'java-before'], maker: 'java', merger: 'java' };
const JAVA_BEFORE: RealSystem = { ...JAVA, maker: 'java-before' };
const RUST: RealSystem = { readers: ['rust'], maker: 'rust', merger: 'rust' };
const REDIS: RealSystem = { readers: ['redisbloom'], maker: 'redisbloom' };

/** By the sorts of filters that bloom makes. */
export const REAL_SYSTEMS: Readonly<Record<string, RealSystem>> = {
  dcso: { readers: ['go', 'rust'], maker: 'go', merger: 'go' },
  'bits-and-blooms': { readers: ['go'], maker: 'go', merger: 'go' },
  poppy: RUST,
  'poppy-space': RUST,
  'poppy-speed': RUST,
  'poppy-best': RUST,
  guava: JAVA_BEFORE,
  'guava-33.4': JAVA,
  'guava-mitz32': JAVA_BEFORE,
  spark: { ...JAVA, readers: ['java'] },
  'spark-1': JAVA_BEFORE,
  'spark-2': { ...JAVA, readers: ['java'] },
  datasketches: { ...JAVA, readers: ['java'] },
  'cassandra-3': { readers: ['java'] },
  'cassandra-4': { readers: ['java'], maker: 'java' },
  hadoop: { readers: ['java'], merger: 'java' },
  hudi: { readers: ['java'] },
  redisbloom: REDIS,
  'redisbloom-nonscaling': REDIS,
  'redisbloom-raw': REDIS,
  // The system compresses the bits if there are few keys.
  'redisbloom-dump': { readers: ['redisbloom'] },
  bip37: { readers: ['bip37'], maker: 'bip37' },
  // Unions of the system state that they have no keys.
  'pybloom-3': { readers: ['pybloom-3'], maker: 'pybloom-3', isOfText: true },
  'pybloom-4': { readers: ['pybloom-4'], maker: 'pybloom-4', isOfText: true },
};
