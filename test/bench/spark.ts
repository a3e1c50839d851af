// bloomery-spark beside Spark's own filter and a build on the same machine. Spark is already running, with two workers.

import { spawnSync } from 'node:child_process';
import { delimiter, join, resolve } from 'node:path';
import { ENGINES, pythonOf } from '../systems/engines.ts';
import { isCompiled } from '../toolchains.ts';
import { writeLines } from './lines.ts';
import { median, printRace, short } from './runs.ts';

/** The job's results for one way to build: seconds, bytes of the filter, and peak memory of the driver's processes. */
interface Result {
  readonly seconds: readonly number[];
  readonly bytes: number;
  readonly python: number;
  readonly java: number;
  readonly command: number;
}

interface Told {
  readonly start: number;
  readonly results: Readonly<Record<string, Result>>;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`.padStart(10);

/** Prints a race, if Java is installed and Spark can be installed. */
export async function printSpark(folder: string, lines: number, rounds: number): Promise<void> {
  if (!(await isCompiled('Spark', ENGINES['spark-4']))) return;
  const python = pythonOf('spark-4');
  const file = join(folder, 'lines');
  writeLines(file, lines, () => 'key');
  const job = [resolve('test', 'bench', 'spark.py'), resolve('bin', 'bloom.js'), file, `${lines}`, `${rounds}`];
  const { stdout, stderr, status } = spawnSync(python, job, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      PYSPARK_PYTHON: python,
      PYTHONPATH: [resolve('src', 'spark'), resolve('test', 'spark')].join(delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  if (status !== 0) throw new Error(stderr);
  const { start, results }: Told = JSON.parse(stdout);
  const timings = Object.entries(results).map(
    ([name, { seconds }]) => [name, { seconds: median(seconds), cpu: undefined, peak: undefined }] as const,
  );
  printRace(`Spark with two workers, ${short(lines)} lines`, new Map(timings), lines);
  console.log(`  before that Spark takes ${start.toFixed(1)} s to start, and for a first job`);
  console.log(`\n${'  bytes, and memory of the driver'.padEnd(34)}      file      Java    Python   command`);
  for (const [name, { bytes, java, python: own, command }] of Object.entries(results))
    console.log(`  ${name.padEnd(32)}${[bytes, java, own, command].map(megabytes).join('')}`);
}
