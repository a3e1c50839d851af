import type { Meter } from '../engine/input/progress.ts';
import { createGathering, createHolding, type Gathering } from '../engine/store/gather.ts';
import { requireMemory } from '../engine/store/payload.ts';
import { BloomError } from '../errors.ts';
import type { Shape } from '../filters/kind.ts';
import { followingFilters } from '../formats/follow.ts';
import type { FilterFile } from '../formats/format.ts';
import { openFilterFile } from '../formats/open.ts';
import type { Opening } from '../formats/opening.ts';
import { createBriefOpener } from '../io/brief.ts';
import { openSource } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** The largest number of files that stay open until they are merged, which is faster. */
const OPEN_LIMIT = 32;

/**
 * Filters up to this size are united in memory as they are read. Larger filters are united segment by segment, except
 * those that follow each other in a pipe.
 */
const GATHERED_BYTES = 2 ** 25;
const FOLLOWING_BYTES = 2 ** 31;

/** Filters to merge, and their number before some of them were united. */
export interface MergedInputs {
  readonly files: readonly FilterFile[];
  readonly count: number;
}

/**
 * Opens the filters to merge for some work. `onRead` is called for each filter that is read first. The standard input
 * may have many filters.
 */
export async function withInputs<T>(
  kernel: Kernel,
  names: readonly string[],
  opening: Opening,
  onRead: Meter,
  work: (inputs: MergedInputs) => Promise<T>,
): Promise<T> {
  const intake = createIntake(kernel, onRead);
  const openBriefly = createBriefOpener();
  try {
    for (const name of names) {
      if (name === '-') for await (const file of followingFilters(kernel, opening)) await intake.takeFollowing(file);
      else
        await intake.take(
          await openFilterFile(name, 'merge', opening, kernel, intake.canStayOpen() ? openSource : openBriefly),
        );
    }
    return await work(await intake.finished());
  } finally {
    await intake.close();
  }
}

/** Collects filters. Those that fit into memory are united at once. */
interface Intake {
  /** Whether another file may stay open. */
  canStayOpen(): boolean;
  take(file: FilterFile): Promise<void>;
  /** Takes a filter and reads it to its end, because another one may follow. */
  takeFollowing(file: FilterFile): Promise<void>;
  finished(): Promise<MergedInputs>;
  close(): Promise<void>;
}

function createIntake(kernel: Kernel, onRead: Meter): Intake {
  const files: FilterFile[] = [];
  const hold = createHolding(kernel);
  let gathered: { readonly gathering: Gathering; readonly place: number } | undefined;
  let count = 0;

  /** Takes a filter that can be united at once. */
  const gather = async (file: FilterFile, mostBytes: number): Promise<boolean> => {
    const gathering = gathered?.gathering ?? createGathering(kernel, file, mostBytes, onRead);
    if (gathering === undefined) return false;
    gathered ??= { gathering, place: files.length };
    return gathering.add(file);
  };
  return {
    canStayOpen: () => files.length < OPEN_LIMIT,
    async take(file) {
      count++;
      if (!(await gather(file, GATHERED_BYTES))) files.push(file);
    },
    async takeFollowing(file) {
      count++;
      if (gathered === undefined) requireMemoryToMerge(file.description.shape);
      if (await gather(file, FOLLOWING_BYTES)) return;
      requireMemoryToMerge(file.description.shape);
      files.push(await hold(file));
    },
    async finished() {
      if (gathered === undefined) return { files, count };
      return { files: files.toSpliced(gathered.place, 0, await gathered.gathering.union()), count };
    },
    async close() {
      await gathered?.gathering.close();
      for (const file of files) file.close();
    },
  };
}

/** Throws a `memory` error for a filter that must be in memory and is too large. */
function requireMemoryToMerge(shape: Shape): void {
  try {
    requireMemory(shape);
  } catch (error) {
    if (!(error instanceof BloomError)) throw error;
    const hint = 'name files, or one pipe per filter; these are merged segment by segment';
    throw new BloomError(error.code, error.message, hint);
  }
}
