// The native drivers: small programs of this project in other languages, compiled by the installed toolchains.

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isCompiled, type Toolchain } from '../toolchains.ts';
import { PEERS_FOLDER } from './peers.ts';

export type Language = 'C++' | 'Rust' | 'Go' | 'Java';

interface Driver extends Toolchain {
  /** The compiled program, for the shell. */
  readonly program: string;
}

const SOURCES = join('test', 'bench', 'native');
const BUILT = join(PEERS_FOLDER, 'native');
const CXX_PROGRAM = join(BUILT, 'native');
const GO_PROGRAM = join(BUILT, 'go-native');
const JARS = join(BUILT, 'jars');

const DRIVERS: Readonly<Record<Language, Driver>> = {
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

/** Compiles the drivers in these languages, and returns the programs that could be compiled. Prints what is left out. */
export async function compileDrivers(languages: readonly Language[]): Promise<ReadonlyMap<Language, string>> {
  mkdirSync(BUILT, { recursive: true });
  const programs = new Map<Language, string>();
  for (const language of languages)
    if (await isCompiled(language, DRIVERS[language])) programs.set(language, DRIVERS[language].program);
  return programs;
}
