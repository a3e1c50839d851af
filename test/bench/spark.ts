// bloom_spark.py beside a build on the same machine, in Spark with two workers that has started.

import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { ENGINES, SPARK_PYTHON } from '../systems/engines.ts';
import { isCompiled } from '../toolchains.ts';
import { writeLines } from './lines.ts';
import { median, printRace, short } from './runs.ts';

/** What the job prints, in seconds. */
interface Told {
  readonly start: number;
  readonly rounds: Readonly<Record<string, readonly number[]>>;
}

/** Prints a race, if there is a Java and Spark can be had. */
export async function printSpark(folder: string, lines: number, rounds: number): Promise<void> {
  if (!(await isCompiled('Spark', ENGINES.spark))) return;
  const file = join(folder, 'lines');
  writeLines(file, lines, () => 'key');
  const job = [resolve('test', 'bench', 'spark.py'), resolve('bin', 'bloom.js'), file, `${lines}`, `${rounds}`];
  const { stdout, stderr, status } = spawnSync(SPARK_PYTHON, job, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      PYSPARK_PYTHON: SPARK_PYTHON,
      PYTHONPATH: resolve('src', 'spark'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  if (status !== 0) throw new Error(stderr);
  const told: Told = JSON.parse(stdout);
  const timings = Object.entries(told.rounds).map(
    ([name, seconds]) => [name, { seconds: median(seconds), cpu: undefined, peak: undefined }] as const,
  );
  printRace(`Spark with two workers, ${short(lines)} lines`, new Map(timings), lines);
  console.log(`  before that Spark takes ${told.start.toFixed(1)} s to start, and for a first job`);
}
