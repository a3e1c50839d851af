// npm run test:spark [-- FOLDER]
//
// Installs the Python package from src/spark beside PySpark 3.5 and PySpark 4, and runs the tests in this folder with each. The results are also
// written to FOLDER, in the XML of JUnit. A PySpark that cannot be installed is skipped.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BUILT } from '../systems/drivers.ts';
import { ENGINES, pythonOf, SPARK_NAMES, type SparkName } from '../systems/engines.ts';
import { isCompiled } from '../toolchains.ts';

const [results] = process.argv.slice(2);

/** Runs Python, and returns whether it succeeded. */
function isSuccess(name: SparkName, args: readonly string[]): boolean {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONWARNINGS: 'ignore' };
  return spawnSync(pythonOf(name), args, { stdio: 'inherit', env }).status === 0;
}

mkdirSync(BUILT, { recursive: true });
for (const name of SPARK_NAMES) {
  if (!(await isCompiled(name, ENGINES[name]))) {
    console.log(`skipped: nothing is tested with ${name}`);
    continue;
  }
  const install = ['--quiet', '--disable-pip-version-check', '--no-deps', '--no-build-isolation', '--force-reinstall'];
  const report = results === undefined ? [] : [`--junitxml=${join(results, `${name}.xml`)}`];
  const tests = ['-p', 'no:cacheprovider', '--quiet', ...report, resolve('test', 'spark')];
  const isPassed =
    isSuccess(name, ['-m', 'pip', 'install', ...install, resolve('src', 'spark')]) &&
    isSuccess(name, ['-m', 'pytest', ...tests]);
  if (!isPassed) process.exitCode = 1;
}
