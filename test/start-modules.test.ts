import { expect, test } from 'vitest';
import { imports } from './imports.ts';

const ALL = imports();

/** The only command in the file of every start (see .rolldown.js). */
const QUERY = 'commands/query.ts';

/** Modules that no start needs, even if nothing loads them late: the rest of these rooms, and code for other commands. */
const NOT_AT_START = [
  /^(completion|library|manual|mistakes|plots|standalone)\//,
  /^(io\/remote\/(?!channel)|sketches\/(?!signature)|terminal\/table)/,
  /^engine\/(build|count|dedup|design|fill|key-|make-|read-again|seen-state|which)/,
  /^engine\/store\/(add|array|bit-array|chained|contents|fillable|gather|grow|last-slice|load-(arrays|changed)|loaded|merge|snap|union|window)/,
  /^engine\/tasks\/(add|coloured|count|dedup|distinct|key-printer|memory-of-keys|remove|sightings|survey|windows|write)/,
];

/** The modules that `bloom query` loads before it reads a file. */
function loadedAtStart(): Set<string> {
  const loaded = new Set(['cli.ts']);
  const all = ALL.filter(({ isLate, isType, target }) => !isType && (!isLate || target === QUERY));
  // The set grows during the iteration.
  for (const module of loaded) for (const { file, target } of all) if (file === module) loaded.add(target);
  return loaded;
}

test('a query loads its own command at the start', () => {
  expect([...loadedAtStart()]).toEqual(expect.arrayContaining([QUERY, 'engine/store/segments.ts']));
});

test('modules that are loaded late are not loaded at the start by another way', () => {
  const loaded = loadedAtStart();
  const late = new Set(ALL.flatMap(({ target, isLate, isType }) => (isLate && !isType ? [target] : [])));
  expect(late.size).toBeGreaterThan(30);
  expect([...late].filter((module) => loaded.has(module))).toEqual([QUERY]);
});

test('rooms and work of other commands are not loaded at the start', () => {
  const modules = new Set(ALL.map(({ target }) => target));
  for (const pattern of NOT_AT_START) expect([...modules].some((module) => pattern.test(module))).toBe(true);
  expect([...loadedAtStart()].filter((module) => NOT_AT_START.some((pattern) => pattern.test(module)))).toEqual([]);
});
