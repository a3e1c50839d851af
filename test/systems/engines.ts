// Engines that run the command, as packages: how they are installed, for the tests that have them do so.

import { join, resolve } from 'node:path';
import type { Toolchain } from '../toolchains.ts';
import { BUILT } from './drivers.ts';

const PACKAGES = resolve('test', 'systems', 'drivers', 'python', 'spark.txt');

/** A virtual environment. */
const SPARK = join(BUILT, 'spark');

/** Its Python, once it is there. */
export const SPARK_PYTHON = join(SPARK, 'bin', 'python3');

const STREAMING = resolve('test', 'systems', 'drivers', 'streaming', 'pom.xml');

/** Hadoop streaming and what it needs to run in one process. */
export const STREAMING_JARS = join(BUILT, 'streaming');

export const ENGINES = {
  spark: {
    version: 'java -version 2> /dev/null && python3 -m venv --help > /dev/null && python3 --version',
    compile: `cmp -s '${PACKAGES}' '${SPARK}/packages.txt' || { python3 -m venv --clear '${SPARK}' && '${SPARK_PYTHON}' -m pip install --quiet --disable-pip-version-check -r '${PACKAGES}' && cp '${PACKAGES}' '${SPARK}/packages.txt'; }`,
  },
  streaming: {
    version: 'mvn --version > /dev/null && java -version 2> /dev/null && mvn --version',
    compile: `mvn -q -B -f '${STREAMING}' -DoutputDirectory='${STREAMING_JARS}' dependency:copy-dependencies`,
  },
} as const satisfies Readonly<Record<string, Toolchain>>;

export type EngineName = keyof typeof ENGINES;
