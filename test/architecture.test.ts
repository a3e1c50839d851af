import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Import, imports, roomOf, SRC } from './imports.ts';

/** The rooms that a room may import from, besides itself and the files beside the rooms. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  cli: ['command-line', 'io'],
  'command-line': ['mistakes', 'commands', 'options', 'terminal', 'io'],
  // The library and the commands share the engine.
  library: ['engine', 'formats', 'filters', 'hashes', 'sizing', 'io', 'kernel'],
  commands: [
    'options',
    'completion',
    'terminal',
    'plots',
    'engine',
    'formats',
    'filters',
    'hashes',
    'sketches',
    'sizing',
    'io',
    'kernel',
  ],
  // The pages for browsers show what commands print.
  site: ['web', 'commands', 'options', 'plots', 'filters', 'formats', 'sizing'],
  // The reader for browsers, without Node.
  web: ['formats', 'filters', 'hashes', 'kernel', 'sizing'],
  options: ['engine', 'formats', 'filters', 'hashes', 'sketches', 'sizing'],
  mistakes: ['commands', 'options', 'io'],
  completion: ['options'],
  manual: ['commands', 'options', 'terminal'],
  terminal: ['io'],
  engine: ['filters', 'formats', 'hashes', 'sketches', 'kernel', 'io', 'sizing'],
  formats: ['filters', 'hashes', 'kernel', 'io', 'sizing'],
  filters: ['kernel', 'sizing'],
  hashes: [],
  sketches: ['io', 'sizing'],
  // What the kernel's compiler says about it.
  kernel: ['dist'],
  io: [],
  // They replace modules that name files of the package.
  standalone: ['engine'],
  start: ['io'],
  sizing: [],
  // Plots do not know where they are drawn.
  plots: [],
  errors: [],
  'bloom-error': [],
  quantities: [],
};

/** What every room may import. */
const EVERYWHERE = ['bloom-error', 'errors', 'quantities'];

/** Packages that only one room may import. */
const OWNERS: Readonly<Record<string, string>> = {
  chalk: 'terminal',
  'cli-table3': 'terminal',
  ora: 'terminal',
  xxhashjs: 'formats',
};

/** The rooms of the engine. Each may import from the rooms before it; files beside them may import from all. */
const ENGINE_ROOMS = ['input', 'store', 'tasks', 'threads', 'index'];

/** The place of this file in the tree says where the bundle of the threads is. */
const THREADS_RUN = 'engine/worker-program.ts';

/** The rooms of the kernel's source, and the rooms that each may import from. */
const KERNEL_ROOMS: Readonly<Record<string, readonly string[]>> = {
  records: [],
  encodings: ['records', 'hashes'],
  hashes: [],
  digests: ['hashes'],
  kinds: ['hashes'],
  systems: ['hashes'],
  answers: [],
};

/** A file below this length with one importer belongs in its importer, if the result has at most the largest number of lines. */
const SMALL = 50;
const LONGEST = 300;

/** Files whose imports are lists. Each listed kind, format, group of flags, mistake and function has a file of its own. */
const LISTS = /(^|\/)(registry|index|flags|explained)\.ts$/;

/** Types that the declarations of the library repeat, because these stand in one file and import nothing. */
const OF_THE_LIBRARY = ['Key', 'HashName'];

/** Groups of files in which each imports all others, directly or through others (strongly connected components, Tarjan 1972). */
function circlesIn(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target]);
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    open.push(file);
    let low = number;
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === number) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle);
    }
    return low;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return circles;
}

describe('imports point one way', () => {
  const all = imports();

  test('the sources contain imports', () => expect(all.length).toBeGreaterThan(100));

  test('between folders', () => {
    const wrong = all.filter(({ room, target }) => {
      if (!target.endsWith('.ts')) return false;
      const to = roomOf(target);
      return to !== room && !EVERYWHERE.includes(to) && !MAY_IMPORT[room]?.includes(to);
    });
    expect(wrong).toEqual([]);
  });

  test('only src/formats, the pages and the reader for browsers know formats by name', () => {
    const inside = all.filter(({ target }) => target.startsWith('formats/bloomery/')).map(({ file }) => file);
    expect(inside.length).toBeGreaterThan(5);
    expect(inside.filter((file) => !/^(formats|site|web)\//.test(file))).toEqual([]);
  });

  test('between the folders of the engine', () => {
    const placeOf = (path: string) => {
      const [, room = '', file] = path.split('/');
      return file === undefined ? ENGINE_ROOMS.length : ENGINE_ROOMS.indexOf(room);
    };
    const inside = all.filter(({ file, target }) => [file, target].every((path) => path.startsWith('engine/')));
    const wrong = inside.filter(({ file, target }) => target !== THREADS_RUN && placeOf(target) > placeOf(file));
    expect(inside.length).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });

  test('only the store knows the parts of a filter', () => {
    const asking = /\.layout\b|'(?:payload|draft|segments|signatures)' in|\.type [!=]== '(?:segments|arrays|rows)'/;
    const files = [...new Set(all.map(({ file }) => file))].filter((file) =>
      asking.test(readFileSync(join(SRC, file), 'utf8')),
    );
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => !file.startsWith('engine/store/'))).toEqual([]);
  });

  test('between the folders of the kernel', () => {
    const source = join(SRC, 'kernel', 'assembly');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\/.*\.ts$/.test(file));
    const wrong = files.flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      const others = [...text.matchAll(/from "\.\.\/(\w+)\//g)].map(([, room = '']) => room);
      return others.filter((room) => !KERNEL_ROOMS[roomOf(file)]?.includes(room)).map((room) => `${file}: ${room}`);
    });
    expect(new Set(files.map(roomOf))).toEqual(new Set(Object.keys(KERNEL_ROOMS)));
    expect(wrong).toEqual([]);
  });

  test('packages for drawing and for the header checksum are imported only in their folders', () => {
    expect(all.filter(({ room, target }) => target in OWNERS && OWNERS[target] !== room)).toEqual([]);
  });

  test('no file imports itself through other files, types and late imports included', () => {
    expect(circlesIn(all.filter(({ target }) => target.endsWith('.ts')))).toEqual([]);
  });

  test('a small file has several importers, or one importer that is a list, long, or in another folder', () => {
    const linesOf = (file: string) => readFileSync(join(SRC, file), 'utf8').split('\n').length - 1;
    const standalone = readdirSync(join(SRC, 'standalone'));
    const small = [...new Set(all.map(({ target }) => target))].filter(
      (file) => file.endsWith('.ts') && !file.startsWith('..') && linesOf(file) < SMALL,
    );
    const wrong = small.filter((file) => {
      const of = all.filter(({ target }) => target === file);
      const [importer = ''] = of.map((one) => one.file);
      const isSeam = of.some(({ isLate }) => isLate) || LISTS.test(importer) || standalone.includes(basename(file));
      const isAlone = of.every((one) => one.file === importer) && dirname(importer) === dirname(file);
      return isAlone && !isSeam && linesOf(importer) + linesOf(file) <= LONGEST;
    });
    expect(small.length).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });

  test('an exported type has one meaning', () => {
    const places = new Map<string, string[]>();
    for (const file of new Set(all.map(({ file }) => file)))
      for (const [, name = ''] of readFileSync(join(SRC, file), 'utf8').matchAll(
        /^export (?:interface|type|class) (\w+)/gm,
      ))
        places.set(name, [...(places.get(name) ?? []), file]);
    const several = [...places].filter(([name, files]) => files.length > 1 && !OF_THE_LIBRARY.includes(name));
    expect(places.size).toBeGreaterThan(300);
    expect(several).toEqual([]);
  });

  test('only the command line sets the exit status', () => {
    const files = new Set(all.map(({ file }) => file));
    const setters = [...files].filter((file) => /process\.exit/.test(readFileSync(join(SRC, file), 'utf8')));
    expect(setters).toEqual(['cli.ts']);
  });
});
