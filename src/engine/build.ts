import { type Description, withLengths } from '../formats/description.ts';
import { FORMATS } from '../formats/registry.ts';
import { buildCounted } from './build-counted.ts';
import type { Design } from './design.ts';
import { type Filled, fill } from './fill.ts';
import type { FilterParameters } from './filter-parameters.ts';
import type { Reading, Threads } from './reading.ts';
import { emptyFilter, requireMemoryFor } from './store/fillable.ts';

/** A filter that was built in memory. */
export interface Built extends Omit<Filled, 'shape'> {
  readonly parameters: FilterParameters;
  readonly description: Description;
  /** Keys that only the second reading of the inputs had: the filter was not sized for them. */
  readonly unplanned: number;
}

/** Builds the filter of a design from the keys of all inputs. Its size is fixed, growing, or follows from the number of keys. */
export async function buildFilter(design: Design, reading: Reading, threads: Threads): Promise<Built> {
  const { kind, rules, keyType, note, origin, size } = design;
  const { parameters, filled, unplanned } =
    size.type === 'counted'
      ? await buildCounted(design, size.parametersFor, reading, threads)
      : { ...(await buildSized(design, size.parameters, reading, threads)), unplanned: 0 };
  const { shape, inserted, contents } = filled;
  const { capacity, targetFpr } = parameters;
  const target = { capacity: kind.capacity?.(shape) ?? capacity, targetFpr };
  const described = contents.described({
    ...{ format: FORMATS[0], kind, shape, rules, keyType, target, inserted, note },
    ...(origin && { origin }),
  });
  return { ...filled, parameters, description: withLengths(described, filled.lengths), unplanned };
}

async function buildSized(
  { kind, rules, size }: Design,
  parameters: FilterParameters,
  reading: Reading,
  threads: Threads,
): Promise<{ parameters: FilterParameters; filled: Filled }> {
  requireMemoryFor(parameters);
  const empty = emptyFilter(parameters, threads.pool.threadCount, size.type === 'growing');
  return { parameters, filled: await fill({ kind, rules }, empty, reading, threads) };
}
