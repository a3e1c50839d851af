import { damaged } from '../errors.ts';
import { type OwnDescription, withMoreKeys } from '../formats/description.ts';
import { openState, type StateFilter, type StateHead, writeState } from '../formats/states.ts';
import type { Output } from '../io/atomic-file.ts';
import { displayName } from '../io/look.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Windows } from '../sizing/windows.ts';
import { loadSegments } from './store/load-segments.ts';
import { openSegments } from './store/shared-segments.ts';
import { openStore } from './store/store.ts';
import type { WindowFilter } from './store/window-filters.ts';
import type { Seen } from './tasks/task.ts';

/** What was seen, and the description of each filter without its number of keys. */
export interface SeenBefore {
  readonly description: OwnDescription;
  readonly seen: Seen;
  readonly windows: Windows | undefined;
  /** Records of earlier runs, if windows count records. */
  readonly records: number;
}

/** Throws for an unsuitable state, by its first filter or its head. */
export type Check = (description: OwnDescription, head: StateHead, name: string) => void;

/**
 * Loads a state into memory, so that its file may be replaced. `check` rejects an unsuitable state. Throws `input`, `format` and `memory`
 * errors.
 */
export async function loadSeen(kernel: Kernel, file: string, check: Check): Promise<SeenBefore> {
  const { head, filters } = await openState(file, kernel);
  const { sightings, windows } = head;
  const seen: WindowFilter[][] = Array.from({ length: sightings }, () => []);
  let first: OwnDescription | undefined;
  let found = 0;
  for await (const opened of filters) {
    const { description, name } = opened;
    if (first === undefined) check(description, head, displayName(file));
    first ??= description;
    if (!areAlike(description, first))
      throw damaged(name, 'it is not of the same kind, size and rules as the first filter');
    const { store: filter } = await loadSegments(kernel, opened, 1, 'query');
    (await openStore(filter, kernel, 0)).readAll();
    const window = windows?.numbers[Math.floor(found / sightings)] ?? 0;
    seen[found++ % sightings]?.push({ window, filter, keys: description.inserted ?? 0 });
  }
  if (first === undefined) throw new Error(`${file} has no filter`);
  return { description: first, seen, windows, records: windows?.records ?? 0 };
}

/** Whether filters can be in the same state; filters that grow may have different sizes. */
function areAlike(a: OwnDescription, b: OwnDescription): boolean {
  const what = ({ kind, rules, shape, target }: OwnDescription) => [
    ...[kind, rules.hash, rules.seed, rules.ignoreCase, rules.trim, target?.targetFpr],
    ...(shape.chain === undefined ? [shape.segments, shape.segmentBits, shape.k] : []),
  ];
  const of = what(b);
  return what(a).every((value, i) => value === of[i]);
}

/** Writes a state to a file atomically. Throws `output` errors. */
export function writeSeen(
  output: Output,
  kernel: Kernel,
  { description, seen, windows, records }: SeenBefore,
): Promise<void> {
  const numbers = seen[0]?.map(({ window }) => window) ?? [];
  const head: StateHead = {
    sightings: seen.length,
    windows: windows && { ...windows, numbers, records: windows.of === 'records' ? records : 0 },
  };
  const windowFilters = numbers.flatMap((_, i) => seen.flatMap((level) => level[i] ?? []));
  return writeState(output, kernel, head, filtersOf(windowFilters, description, kernel));
}

function* filtersOf(
  windowFilters: readonly WindowFilter[],
  before: OwnDescription,
  kernel: Kernel,
): Generator<StateFilter> {
  for (const { filter, keys } of windowFilters) {
    const segments = openSegments(filter, kernel, 0);
    const fills = segments.fills();
    yield {
      description: withMoreKeys({ ...before, inserted: 0 }, filter.payload.shape, keys),
      supply: (index) => ({ ...segments.find(index), fill: fills[index] ?? {} }),
    };
  }
}
