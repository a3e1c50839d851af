// Which tests run which functions of the sources. Each function of a copy gets a probe, and the tests run once. A probe appends the
// name of its function to a file of the running test file.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOfKernel, type Mutant, nodesOf, sourcesIn } from './mutants.ts';
import type { Node } from './operators.ts';

/** The functions that the tests of a recorded run reached. */
export interface Reach {
  /** By function, the test files in whose process it ran. */
  readonly within: ReadonlyMap<string, readonly string[]>;
  /** By function, the test files that ran it in the built program, in another process or thread. */
  readonly built: ReadonlyMap<string, readonly string[]>;
}

/** In a process of tests, `reached.ts` sets the file of the running test file. In other processes the environment does. */
const RUNTIME = `globalThis.reach ??= {
  marks: new Map(),
  epoch: new WebAssembly.Global({ value: 'i32', mutable: true }, 1),
  marksOf: (file) => globalThis.reach.marks.get(file) ?? globalThis.reach.marks.set(file, {}).get(file),
  hit(name) {
    const file = globalThis.reachFile ?? process.env.BLOOM_REACH;
    const where = globalThis.reachFile === undefined ? 'built' : 'within';
    if (file !== undefined) process.getBuiltinModule('fs').appendFileSync(file, where + ' ' + name + '\\n');
    return true;
  },
};`.replaceAll(/\n\s*/g, ' ');

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** The functions of a source, the outer ones first. */
function functionsOf(source: string): Node[] {
  return nodesOf(source).filter(({ type }) => FUNCTIONS.includes(type));
}

/** The source with a probe at the beginning of each function. */
function withProbes(source: string, probeOf: (start: number) => string): string {
  const insertions = functionsOf(source).flatMap(({ start, body }) => {
    const { type, start: first, end } = body as Node;
    if (type === 'BlockStatement') return [{ at: first + 1, text: `${probeOf(start)};` }];
    return [
      { at: first, text: `(${probeOf(start)}, ` },
      { at: end, text: ')' },
    ];
  });
  let text = source;
  for (const { at, text: inserted } of insertions.sort((a, b) => b.at - a.at))
    text = text.slice(0, at) + inserted + text.slice(at);
  return text;
}

/** A source with probes, which name the file and the position of the function. */
export function probed(file: string, source: string): string {
  const probes = withProbes(source, (start) => `reachMarks[${start}] ||= globalThis.reach.hit('${file}:${start}')`);
  return `${RUNTIME} const reachMarks = globalThis.reach.marksOf('${file}');${probes}`;
}

/**
 * A source of the kernel with probes. A probe calls a function of the host with the number of the function's name. It does so once per
 * epoch, as such calls take long. Each test file is an epoch.
 */
function probedKernel(file: string, source: string, names: string[]): string {
  const first = names.length;
  const probes = withProbes(source, (start) => {
    const seen = `seen${names.push(`${file}:${start}`) - 1}`;
    return `if (${seen} != epoch) { ${seen} = epoch; reached(${seen.slice(4)}); }`;
  });
  const variables = names.slice(first).map((_, i) => `let seen${first + i}: i32 = 0;`);
  const imports = ['declare function reached(name: i32): void;', 'declare let epoch: i32;'];
  const external = imports.map((line) => `@external('env', '${line.match(/reached|epoch/)?.[0]}')\n${line}`);
  return [probes, ...variables, ...external, ''].join('\n');
}

/** The module that instantiates the kernel, and the imports that it passes. */
const [LOADER, IMPORTS] = [join('src', 'kernel', 'instance.ts'), '{ env: { memory }'];

/** Puts probes into all sources of a copy. */
export function probeAll(folder: string): void {
  const names: string[] = [];
  for (const file of sourcesIn(folder)) {
    const path = join(folder, file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, isOfKernel(file) ? probedKernel(file, source, names) : probed(file, source));
  }
  const loader = readFileSync(join(folder, LOADER), 'utf8');
  const reached = `reached: (name) => reachMarks['kernel' + name] ||= globalThis.reach.hit(kernelNames[name])`;
  const together = loader.replace(IMPORTS, `{ env: { memory, epoch: globalThis.reach.epoch, ${reached} }`);
  if (together === loader) throw new Error(`${LOADER} does not contain ${IMPORTS}`);
  writeFileSync(join(folder, LOADER), `${together}\nconst kernelNames = ${JSON.stringify(names)};\n`);
}

/** Reads the records that test files left in a folder. */
export function reachIn(folder: string): Reach {
  const [within, built] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const record of readdirSync(folder)) {
    for (const line of new Set(readFileSync(join(folder, record), 'utf8').split('\n'))) {
      const [where, name = ''] = line.split(' ');
      const tests = where === 'built' ? built : within;
      if (name !== '') tests.set(name, [...(tests.get(name) ?? []), decodeURIComponent(record)]);
    }
  }
  return { within, built };
}

/** The innermost function at a position of a source. Undefined for code that runs when the module is loaded. */
function functionAt(file: string, source: string, place: number): string | undefined {
  const around = functionsOf(source).filter(({ start, end }) => start <= place && place < end);
  const innermost = around.at(-1);
  return innermost && `${file}:${innermost.start}`;
}

/** The sources that import a file. Those of the kernel name no ending. */
function importersOf(root: string, file: string): string[] {
  const imports = (importer: string) =>
    [...readFileSync(join(root, importer), 'utf8').matchAll(/(?:from |import\()['"](\..*?)(?:\.ts)?['"]/g)].some(
      ([, path = '']) => `${join(dirname(importer), path)}.ts` === file,
    );
  return sourcesIn(root).filter(imports);
}

export interface Reaching {
  /** Test files that run the mutant in their own process. */
  readonly within: readonly string[];
  /** Test files that run it in the built program. */
  readonly built: readonly string[];
}

/**
 * The test files that reach a mutant. Code that runs when its module is loaded is reached by all tests of that module, or of a module
 * that imports it.
 */
export function testsReaching(root: string, { file, start }: Mutant, { within, built }: Reach): Reaching {
  const name = functionAt(file, readFileSync(join(root, file), 'utf8'), start);
  if (name !== undefined) return { within: within.get(name) ?? [], built: built.get(name) ?? [] };
  const modules = [file, ...importersOf(root, file)];
  const testsOf = (tests: Reach['within']) => [
    ...new Set([...tests].flatMap(([other, found]) => (modules.includes(other.replace(/:\d+$/, '')) ? found : []))),
  ];
  return { within: testsOf(within), built: testsOf(built) };
}
