// The project's programs in other languages that query libraries of other systems: how to build and to start them.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Toolchain } from '../toolchains.ts';

const SOURCES = resolve('test', 'systems', 'drivers');

/** The Go module with the libraries, also for the benchmarks. */
const GO_MODULE = resolve('test', 'bench', 'native');

export const BUILT = resolve('node_modules', '.cache', 'systems');

export interface Driver extends Toolchain {
  /** The built program, with its arguments and variables. */
  readonly program: readonly [string, ...string[]];
  readonly variables?: Readonly<Record<string, string>>;
}

function java(folder: string, versions: string): Driver {
  const built = join(BUILT, folder);
  const [jars, classes] = [join(built, 'jars'), join(built, 'classes')];
  const pom = join(SOURCES, 'java', 'pom.xml');
  return {
    version: 'mvn --version > /dev/null && javac -version',
    compile: `mvn -q -B -f '${pom}' ${versions} -DoutputDirectory='${jars}' dependency:copy-dependencies && javac -cp '${jars}/*' -d '${classes}' '${join(SOURCES, 'java')}'/*.java`,
    program: ['java', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', `${classes}:${jars}/*`, 'Systems'],
  };
}

/** Packages from a list beside the driver, and the module that queries them. */
function python(packages: string, module: string): Driver {
  const [list, built] = [join(SOURCES, 'python', `${packages}.txt`), join(BUILT, packages)];
  const install = `python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --target '${built}' -r '${list}'`;
  return {
    version: 'python3 -m pip --version > /dev/null && python3 --version',
    compile: `cmp -s '${list}' '${built}/packages.txt' || { rm -rf '${built}' && ${install} && cp '${list}' '${built}/packages.txt'; }`,
    program: ['python3', join(SOURCES, 'python', 'systems.py'), module],
    variables: { PYTHONPATH: built, PYTHONDONTWRITEBYTECODE: '1' },
  };
}

const GO_PROGRAM = join(BUILT, 'go');
const RUST_FOLDER = join(BUILT, 'rust');

/** Drivers of the same language have libraries that cannot be installed together. */
export const DRIVERS = {
  go: {
    version: 'go version',
    compile: `cd '${GO_MODULE}' && go build -mod=readonly -o '${GO_PROGRAM}' '${join(SOURCES, 'go', 'systems.go')}'`,
    program: [GO_PROGRAM],
  },
  rust: {
    version: 'cargo --version',
    compile: `cargo build --quiet --locked --manifest-path '${join(SOURCES, 'rust', 'Cargo.toml')}' --target-dir '${RUST_FOLDER}'`,
    program: [join(RUST_FOLDER, 'debug', 'systems')],
  },
  java: java('java', ''),
  'java-before': java('java-before', '-Dguava=33.3.1-jre -Dspark=3.5.5'),
  'pybloom-3': python('pybloom-3', 'pybloom'),
  'pybloom-4': python('pybloom-4', 'pybloom'),
  bip37: python('bip37', 'bip37'),
  redisbloom: python('redisbloom', 'redisbloom'),
  columns: python('columns', 'columns'),
  sketches: python('sketches', 'sketches'),
} as const satisfies Readonly<Record<string, Driver>>;

export type DriverName = keyof typeof DRIVERS;

/** The file that marks a driver or an engine as built completely. */
export const markOf = (name: string) => join(BUILT, `${name}.built`);

export const isBuilt = (name: string) => existsSync(markOf(name));
