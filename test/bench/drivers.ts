// The native drivers: small programs of ours in other languages, compiled by the toolchains that are there.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PEERS_FOLDER, versionOf } from './peers.ts';

export type Language = 'C++' | 'Rust' | 'Go' | 'Java';

interface Toolchain {
  /** A command that says that it is there, and which version. */
  readonly version: string;
  readonly compile: string;
  /** The program then, for the shell. */
  readonly program: string;
}

const SOURCES = join('test', 'bench', 'native');
const BUILT = join(PEERS_FOLDER, 'native');
const CXX_PROGRAM = join(BUILT, 'native');
const GO_PROGRAM = join(BUILT, 'go-native');
const JARS = join(BUILT, 'jars');

const TOOLCHAINS: Readonly<Record<Language, Toolchain>> = {
  'C++': {
    version: 'g++ --version',
    compile: `g++ -std=c++17 -O3 -march=native -Wall -Wextra ${join(SOURCES, 'native.cc')} -o ${CXX_PROGRAM}`,
    program: CXX_PROGRAM,
  },
  Rust: {
    version: 'cargo --version',
    compile: `RUSTFLAGS='-C target-cpu=native' cargo build --quiet --release --locked --manifest-path ${join(SOURCES, 'Cargo.toml')} --target-dir ${BUILT}`,
    program: join(BUILT, 'release', 'native'),
  },
  Go: {
    version: 'go version',
    compile: `cd ${SOURCES} && go build -mod=readonly -o ${resolve(GO_PROGRAM)} native.go`,
    program: GO_PROGRAM,
  },
  Java: {
    version: 'mvn --version > /dev/null && javac -version',
    compile: `mvn -q -f ${join(SOURCES, 'pom.xml')} dependency:copy-dependencies -DoutputDirectory=${resolve(JARS)} && javac -cp '${JARS}/*' -d ${BUILT} ${join(SOURCES, 'Native.java')}`,
    program: `java -XX:+UseSerialGC -cp '${JARS}/*:${BUILT}' Native`,
  },
};

/** Compiles the drivers in these languages, and returns the programs of those that could be; what is left out is said. */
export function compileDrivers(languages: readonly Language[]): ReadonlyMap<Language, string> {
  mkdirSync(BUILT, { recursive: true });
  const compiled = languages.filter((language) => {
    const { compile } = TOOLCHAINS[language];
    const version = versionOf(TOOLCHAINS[language]);
    if (version === undefined) {
      console.log(`${language}: no compiler, left out`);
      return false;
    }
    const { status, stderr } = spawnSync('/bin/sh', ['-c', compile], { encoding: 'utf8' });
    const error = stderr.split('\n').find((line) => line.includes('error')) ?? stderr.trim();
    console.log(`${language}: ${version}${status === 0 ? '' : `, left out: ${error}`}`);
    return status === 0;
  });
  return new Map(compiled.map((language) => [language, TOOLCHAINS[language].program]));
}
