// Which tests run which stretches of the sources: functions, branches, and what follows a branch. Each stretch of a copy gets a probe,
// and the tests run once. A probe appends the name of its stretch to a file of the running test file.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOfKernel, type Mutant, nodesOf, sourcesIn } from './mutants.ts';
import type { Node } from './operators.ts';

/** The stretches that the tests of a recorded run reached. */
export interface Reach {
  /** By stretch, the test files in whose process it ran. */
  readonly within: ReadonlyMap<string, readonly string[]>;
  /** By stretch, the test files that ran it in the built program, in another process or thread. */
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

/** Statements after which the rest of a block may not run. */
const FORKS = ['IfStatement', 'SwitchStatement', 'TryStatement', 'ForStatement', 'ForOfStatement', 'WhileStatement'];

/** A stretch of a source that runs or does not: a function, a branch, or the rest of a block after a statement that may end it. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Where its code begins, at most one stretch at each position, and ends. */
  readonly first: number;
  readonly last: number;
  readonly code: 'statements' | 'statement' | 'expression';
}

function branch(node: unknown): Stretch[] {
  if (node === null || node === undefined) return [];
  const { type, start, end } = node as Node;
  if (type === 'BlockStatement') return [{ start, end, first: start + 1, last: end, code: 'statements' }];
  const code = type.endsWith('Statement') ? 'statement' : 'expression';
  return [{ start, end, first: start, last: end, code }];
}

/** These statements of a block, without what stands before them. */
function rest(statements: readonly Node[]): Stretch[] {
  const [start, end] = [statements[0]?.start ?? 0, statements.at(-1)?.end ?? 0];
  return statements.length === 0 ? [] : [{ start, end, first: start, last: end, code: 'statements' }];
}

function stretchesOfNode(node: Node): Stretch[] {
  const { type, start, end } = node;
  if (FUNCTIONS.includes(type)) return branch(node.body).map((body) => ({ ...body, start, end }));
  switch (type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return [...branch(node.consequent), ...branch(node.alternate)];
    case 'LogicalExpression':
      return branch(node.right);
    case 'ForStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'CatchClause':
      return branch(node.body);
    case 'SwitchCase':
      return rest(node.consequent as Node[]);
    case 'BlockStatement': {
      const body = node.body as Node[];
      return body.flatMap(({ type: before }, i) => (FORKS.includes(before) ? rest(body.slice(i + 1)) : []));
    }
    default:
      return [];
  }
}

/** All stretches of a source. Of two that contain a position, the inner one is later. */
function stretchesOf(source: string): Stretch[] {
  return nodesOf(source)
    .flatMap(stretchesOfNode)
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The source with a probe at the beginning of each of these stretches. */
function withProbes(source: string, stretches: readonly Stretch[], probeOf: (first: number) => string): string {
  const insertions = stretches.flatMap(({ first, last, code }) => {
    if (code === 'statements') return [{ at: first, text: `${probeOf(first)};` }];
    const [before, after] = code === 'statement' ? [`{${probeOf(first)};`, '}'] : [`(${probeOf(first)}, `, ')'];
    return [
      { at: first, text: before },
      { at: last, text: after },
    ];
  });
  let text = source;
  for (const { at, text: inserted } of insertions.sort((a, b) => b.at - a.at))
    text = text.slice(0, at) + inserted + text.slice(at);
  return text;
}

/** A source with probes, which name the file and the position where the code of the stretch begins. */
export function probed(file: string, source: string): string {
  const probeOf = (first: number) => `reachMarks[${first}] ||= globalThis.reach.hit('${file}:${first}')`;
  const probes = withProbes(source, stretchesOf(source), probeOf);
  return `${RUNTIME} const reachMarks = globalThis.reach.marksOf('${file}');${probes}`;
}

/**
 * A source of the kernel with probes, also in statements that are branches. A probe calls a function of the host with the number of the
 * name of its stretch. It does so once per epoch, as such calls take long. Each test file is an epoch.
 */
function probedKernel(file: string, source: string, names: string[]): string {
  const first = names.length;
  const stretches = stretchesOf(source).filter(({ code }) => code !== 'expression');
  const probes = withProbes(source, stretches, (at) => {
    const seen = `seen${names.push(`${file}:${at}`) - 1}`;
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

/** The name of the innermost stretch at a position of a source. Undefined for code that runs when the module is loaded. */
function stretchAt(file: string, source: string, place: number): string | undefined {
  const around = stretchesOf(source).filter(({ start, end, code }) => {
    return start <= place && place < end && (code !== 'expression' || !isOfKernel(file));
  });
  const innermost = around.at(-1);
  return innermost && `${file}:${innermost.first}`;
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
  const name = stretchAt(file, readFileSync(join(root, file), 'utf8'), start);
  if (name !== undefined) return { within: within.get(name) ?? [], built: built.get(name) ?? [] };
  const modules = [file, ...importersOf(root, file)];
  const testsOf = (tests: Reach['within']) => [
    ...new Set([...tests].flatMap(([other, found]) => (modules.includes(other.replace(/:\d+$/, '')) ? found : []))),
  ];
  return { within: testsOf(within), built: testsOf(built) };
}

/** The places of the stretches that no test runs, with their first lines. */
export function unreached(root: string, { within, built }: Reach): string[] {
  return sourcesIn(root).flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return stretchesOf(source)
      .filter(({ code }) => code !== 'expression' || !isOfKernel(file))
      .filter(({ first }) => !within.has(`${file}:${first}`) && !built.has(`${file}:${first}`))
      .map(({ first, last }) => {
        const [line = ''] = source.slice(first, last).trim().split('\n', 1);
        return `${file}:${source.slice(0, first).split('\n').length}\t${line}`;
      });
  });
}
