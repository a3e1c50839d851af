import { BloomError } from '../errors.ts';
import type { Shape } from '../filters/kind.ts';
import { bytes, plural } from '../quantities.ts';
import { partsWithin } from './store/filter-parts.ts';
import { bytesTogether, freeMemory } from './store/payload.ts';
import type { TestSpec } from './tasks/task.ts';
import type { TaskResult } from './tasks/task-result.ts';
import { memoryOfParts } from './thread-memory.ts';
import { type Pass, runPass } from './threads/pass.ts';

/** Look-ups of the records of inputs in filters. */
export interface Query extends Pass {
  readonly spec: TestSpec;
  readonly shapes: readonly Shape[];
  /** Bytes of memory for the filters; by default all free memory. */
  readonly memory: number | undefined;
}

/**
 * Looks up the records of inputs. Filters that do not fit in the memory are loaded part by part. Throws a `memory` error if they cannot be
 * loaded in parts.
 */
export async function queryWithin({ shapes, memory, ...pass }: Query): Promise<TaskResult[]> {
  const { spec } = pass;
  const needed = bytesTogether(shapes);
  const most = memory ?? freeMemory();
  if (needed <= most) return runPass(pass);
  const reason = needOfMemory(spec);
  const parts = spec.filters.map(({ filter }) => partsWithin(filter, memoryOfParts(most, pass.pool.threadCount)));
  if (reason !== undefined || parts.includes(undefined)) throw tooLittle(shapes, needed, most, reason);
  const { queryInParts } = await import('./query-in-parts.ts');
  return queryInParts({ ...pass, parts: parts.filter((each) => each !== undefined) });
}

/** The option that needs whole filters in memory, if there is one. */
function needOfMemory({ print, lineBuffered }: TestSpec): string | undefined {
  if (lineBuffered) return '--line-buffered';
  return print?.keys === undefined ? undefined : '--only-matching';
}

function tooLittle(shapes: readonly Shape[], needed: number, most: number, reason?: string): BloomError {
  const what = shapes.length === 1 ? 'the filter needs' : `the ${plural(shapes.length, 'filter')} need`;
  return new BloomError(
    'memory',
    `${what} ${bytes(needed)} of memory, and ${bytes(most)} are free`,
    reason === undefined
      ? "only filters in bloomery's own format, in regular files, can be read part by part; query -e works without this memory"
      : `leave out ${reason}: it needs the whole filter in memory`,
  );
}
