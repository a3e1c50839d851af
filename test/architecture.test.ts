import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = join(ROOT, 'src');

/** Which rooms a room may import from, besides itself and what is beside the rooms. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  cli: ['command-line', 'io'],
  'command-line': ['mistakes', 'commands', 'options', 'terminal', 'io'],
  // What it shares with the commands is the engine.
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
  // What its compiler says of it.
  kernel: ['dist'],
  io: [],
  // In the place of modules that name files of the package.
  standalone: [],
  start: ['io'],
  sizing: [],
  // Where they are drawn is not theirs to know.
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

interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

function imports(): Import[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.includes('assembly'),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, target = '']) => ({
      file,
      room: roomOf(file),
      target: target.startsWith('.') ? relative(SRC, join(SRC, dirname(file), target)) : target,
    }));
  });
}

function roomOf(file: string): string {
  return (file.replace(/^\.\.\//, '').split('/')[0] ?? '').replace(/\.ts$/, '');
}

/** The rooms of the engine, each of which may import from those before it; files beside them may import from all. */
const ENGINE_ROOMS = ['input', 'filter', 'tasks', 'threads'];

/** The rooms of the kernel's source, and which others each may import from. */
const KERNEL_ROOMS: Readonly<Record<string, readonly string[]>> = {
  records: [],
  encodings: ['records', 'hashes'],
  hashes: [],
  digests: ['hashes'],
  kinds: ['hashes'],
  systems: ['hashes'],
  answers: [],
};

describe('imports point one way', () => {
  const all = imports();

  test('there are some', () => expect(all.length).toBeGreaterThan(100));

  test('between rooms', () => {
    const wrong = all.filter(({ room, target }) => {
      if (!target.endsWith('.ts')) return false;
      const to = roomOf(target);
      return to !== room && !EVERYWHERE.includes(to) && !MAY_IMPORT[room]?.includes(to);
    });
    expect(wrong).toEqual([]);
  });

  test('no format is known by name outside the room of formats', () => {
    const inside = all.filter(({ target }) => target.startsWith('formats/bloomery/')).map(({ file }) => file);
    expect(inside.length).toBeGreaterThan(5);
    expect(inside.filter((file) => !file.startsWith('formats/'))).toEqual([]);
  });

  test('between the rooms of the engine', () => {
    const placeOf = (path: string) => ENGINE_ROOMS.indexOf(path.split('/')[1] ?? '');
    const inside = all.filter(({ file, target }) => [file, target].every((path) => path.startsWith('engine/')));
    const wrong = inside.filter(({ file, target }) => placeOf(file) >= 0 && placeOf(target) > placeOf(file));
    expect(inside.length).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });

  test('between the rooms of the kernel', () => {
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

  test('packages for drawing and for the header checksum stay in their rooms', () => {
    expect(all.filter(({ room, target }) => target in OWNERS && OWNERS[target] !== room)).toEqual([]);
  });

  test('only the command line sets the exit status', () => {
    const files = new Set(all.map(({ file }) => file));
    const setters = [...files].filter((file) => /process\.exit/.test(readFileSync(join(SRC, file), 'utf8')));
    expect(setters).toEqual(['cli.ts']);
  });
});
