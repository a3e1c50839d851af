// Engines that run the command, as packages: how the tests' engines are installed.

import { join, resolve } from 'node:path';
import type { Toolchain } from '../toolchains.ts';
import { BUILT } from './drivers.ts';

/** The Python of a virtual environment, once its packages are installed. */
export const pythonOf = (name: SparkName | 's3') => join(BUILT, name, 'bin', 'python3');

const STREAMING = resolve('test', 'systems', 'drivers', 'streaming', 'pom.xml');

/** Hadoop streaming, and what it needs to run in one process. */
export const STREAMING_JARS = join(BUILT, 'streaming');

/** PySpark 3.5 and 4, with the packages that their tests use. */
export const SPARK_NAMES = ['spark-3', 'spark-4'] as const;

export type SparkName = (typeof SPARK_NAMES)[number];

const JAVA = 'java -version 2> /dev/null';

/** A virtual environment with the packages of a list, which may need another program. */
function environment(name: SparkName | 's3', program = 'true'): Toolchain {
  const [folder, python] = [join(BUILT, name), pythonOf(name)];
  const list = resolve('test', 'systems', 'drivers', 'python', `${name}.txt`);
  return {
    version: `${program} && python3 -m venv --help > /dev/null && python3 --version`,
    compile: `cmp -s '${list}' '${folder}/packages.txt' || { python3 -m venv --clear '${folder}' && '${python}' -m pip install --quiet --disable-pip-version-check -r '${list}' && cp '${list}' '${folder}/packages.txt'; }`,
  };
}

export const ENGINES = {
  'spark-3': environment('spark-3', JAVA),
  'spark-4': environment('spark-4', JAVA),
  s3: environment('s3'),
  streaming: {
    version: `mvn --version > /dev/null && ${JAVA} && mvn --version`,
    compile: `mvn -q -B -f '${STREAMING}' -DoutputDirectory='${STREAMING_JARS}' dependency:copy-dependencies`,
  },
} as const satisfies Readonly<Record<string, Toolchain>>;

export type EngineName = keyof typeof ENGINES;
