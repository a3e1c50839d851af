// Filters of other systems that the engine makes.

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { buildCounted } from '../../src/engine/build-counted.ts';
import { fill } from '../../src/engine/fill.ts';
import type { KeySelection } from '../../src/engine/input/key-selection.ts';
import { WHOLE_RECORD } from '../../src/engine/input/record-keys.ts';
import type { Contents } from '../../src/engine/store/contents.ts';
import { emptyFilter } from '../../src/engine/store/fillable.ts';
import { loadChanged } from '../../src/engine/store/load-changed.ts';
import { mergeArrays } from '../../src/engine/store/merge-arrays.ts';
import { createWorkerPool, type WorkerPool } from '../../src/engine/threads/worker-pool.ts';
import type { Structure } from '../../src/filters/kind.ts';
import type { ArrayBlueprint } from '../../src/formats/array-blueprint.ts';
import { fileBytes } from '../../src/formats/description.ts';
import { makingNamed } from '../../src/formats/makings.ts';
import type { FormatAbility } from '../../src/formats/mark.ts';
import { openFilterFile } from '../../src/formats/open.ts';
import type { Opening } from '../../src/formats/opening.ts';
import { KNOWN_FORMATS } from '../../src/formats/registry.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { strict } from '../engine/alone.ts';
import type { BuildRequest } from '../engine/building.ts';

/** Keys that end with NUL and may have any other bytes. */
export const NULL_TERMINATED: KeySelection = { nullTerminated: true, keys: WHOLE_RECORD };

const folder = mkdtempSync(join(tmpdir(), 'bloom-making-'));
let files = 0;

export { folder };

/** A new name of a file in the folder of the tests. */
export function newFile(): string {
  // Earlier tests removed the folder with their files.
  mkdirSync(folder, { recursive: true });
  return join(folder, String(files++));
}

/** Writes bytes to a new file. */
export function placed(bytes: Uint8Array): string {
  const file = newFile();
  writeFileSync(file, bytes);
  return file;
}

/** The flags that a reader needs for a file of this format. */
export function openingFor(name: string): Opening {
  const isStated = KNOWN_FORMATS.some(({ variants = [] }) => variants.some((variant) => variant.name === name));
  return isStated ? { format: name } : {};
}

/** Returns whether files of this format have an ability. */
export function can(name: string, ability: FormatAbility): boolean {
  return makingNamed(name)?.format.abilities.includes(ability) === true;
}

/** A file of keys. */
export function fileOf(keys: readonly Uint8Array[]): string {
  return placed(Buffer.concat(keys.flatMap((key) => [key, Uint8Array.of(0)])));
}

/** An empty filter for a number of keys and a rate. */
export async function blueprintOf(name: string, items: number, fpr: number): Promise<ArrayBlueprint> {
  const found = makingNamed(name);
  const plan = found?.making.sizing.plan({ items, fpr });
  if (found === undefined || plan === undefined) throw new Error(`there is no ${name}`);
  return found.making.blueprint(plan, 0n);
}

/** With `raw`, a byte order mark is a part of the key. */
const ANY_BYTES = { ...NULL_TERMINATED, raw: true } as const;

function requestOf(
  blueprint: Pick<ArrayBlueprint, 'description'>,
  inputs: readonly string[],
  pool: WorkerPool,
): BuildRequest<Structure> {
  const { kind, rules } = blueprint.description;
  const context = { kernel: loadKernel(), threadIndex: 0 };
  return { context, pool, kind, inputs, selection: ANY_BYTES, rules, observer: strict };
}

/** The file of a filter. Its description must state the bytes of the file. */
async function written(contents: Contents, blueprint: Pick<ArrayBlueprint, 'description'>): Promise<Uint8Array> {
  const name = newFile();
  const described = contents.described(blueprint.description);
  await contents.write({ name, replace: true }, loadKernel(), described, contents.fills(), () => {});
  const file = new Uint8Array(readFileSync(name));
  expect(fileBytes(described)).toBe(file.length);
  return file;
}

/** The file of a filter with the keys of the inputs. */
export async function made(
  blueprint: ArrayBlueprint,
  inputs: readonly string[],
  pool = createWorkerPool(1),
): Promise<Uint8Array> {
  const request = requestOf(blueprint, inputs, pool);
  const empty = emptyFilter({ shape: blueprint.description.shape, arrays: blueprint }, pool.threadCount);
  const { contents } = await fill(request, empty, request, request);
  return written(contents, blueprint);
}

/** The file of a filter that is sized for the number of keys in the inputs. */
export async function madeForKeys(
  name: string,
  fpr: number,
  inputs: readonly string[],
  pool: WorkerPool,
): Promise<Uint8Array> {
  const any = await blueprintOf(name, 1, fpr);
  const inOrder = any.countsKeys || any.growth !== undefined;
  const request = { ...requestOf(any, inputs, pool), inOrder };
  const parametersFor = async (items: number) => {
    const blueprint = await blueprintOf(name, items, fpr);
    return { shape: blueprint.description.shape, arrays: blueprint };
  };
  const { parameters, filled } = await buildCounted(request, parametersFor, request, request);
  return written(filled.contents, parameters.arrays);
}

/** The file of a filter after the keys of the inputs were added. */
export async function added(
  file: string,
  opening: Opening,
  inputs: readonly string[],
  pool = createWorkerPool(1),
): Promise<Uint8Array> {
  const loaded = await loadChanged(loadKernel(), file, pool.threadCount, opening);
  try {
    const request = requestOf(loaded, inputs, pool);
    const { contents } = await fill(request, loaded.fillable(pool.threadCount), request, request);
    return await written(contents, loaded);
  } finally {
    loaded.close();
  }
}

/** The file of the union of several filters. */
export async function merged(files: readonly string[], opening: Opening): Promise<Uint8Array> {
  const kernel = loadKernel();
  const opened = await Promise.all(files.map((file) => openFilterFile(file, 'merge', opening, kernel)));
  try {
    const united = opened.filter((file) => file.layout === 'arrays');
    const [first, ...others] = united;
    const union = first?.merging?.unionWith(others);
    if (union === undefined) throw new Error(`${files.join(' and ')} are not merged`);
    const output = placed(new Uint8Array());
    await mergeArrays(kernel, united, union, { name: output, replace: true });
    return new Uint8Array(readFileSync(output));
  } finally {
    for (const { close } of opened) close();
  }
}
