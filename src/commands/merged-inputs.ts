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

/** Files that stay open until they are merged, which is quicker. */
const OPEN_LIMIT = 32;

/** Filters up to this size are united as they come; larger ones a segment at a time, but those that follow each other in a pipe. */
const GATHERED_BYTES = 2 ** 25;
const FOLLOWING_BYTES = 2 ** 31;

/** Filters that are to be merged, and how many they were before some of them were united. */
export interface MergedInputs {
  readonly files: readonly FilterFile[];
  readonly count: number;
}

/** Opens what is to be merged for some work on it; `onRead` hears of what is read before. The standard input may have many filters. */
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
          await openFilterFile(name, 'merge', opening, kernel, intake.hasRoom() ? openSource : openBriefly),
        );
    }
    return await work(await intake.taken());
  } finally {
    await intake.close();
  }
}

/** What takes in filters: those that can be united in memory at once, the others as they are. */
interface Intake {
  /** Another file may stay open. */
  hasRoom(): boolean;
  take(file: FilterFile): Promise<void>;
  /** Takes one that is read to its end, as another may follow it. */
  takeFollowing(file: FilterFile): Promise<void>;
  taken(): Promise<MergedInputs>;
  close(): Promise<void>;
}

function createIntake(kernel: Kernel, onRead: Meter): Intake {
  const files: FilterFile[] = [];
  const hold = createHolding(kernel);
  let gathered: { readonly gathering: Gathering; readonly place: number } | undefined;
  let count = 0;

  /** Takes in a filter that can be united at once. */
  const gather = async (file: FilterFile, mostBytes: number): Promise<boolean> => {
    const gathering = gathered?.gathering ?? createGathering(kernel, file, mostBytes, onRead);
    if (gathering === undefined) return false;
    gathered ??= { gathering, place: files.length };
    return gathering.add(file);
  };
  return {
    hasRoom: () => files.length < OPEN_LIMIT,
    async take(file) {
      count++;
      if (!(await gather(file, GATHERED_BYTES))) files.push(file);
    },
    async takeFollowing(file) {
      count++;
      if (gathered === undefined) requireRoom(file.description.shape);
      if (await gather(file, FOLLOWING_BYTES)) return;
      requireRoom(file.description.shape);
      files.push(await hold(file));
    },
    async taken() {
      if (gathered === undefined) return { files, count };
      return { files: files.toSpliced(gathered.place, 0, await gathered.gathering.union()), count };
    },
    async close() {
      await gathered?.gathering.close();
      for (const file of files) file.close();
    },
  };
}

/** Throws a `memory` error for a filter that has to be in memory, and is too large. */
function requireRoom(shape: Shape): void {
  try {
    requireMemory(shape);
  } catch (error) {
    if (!(error instanceof BloomError)) throw error;
    const hint = 'name files, or one pipe per filter; these are merged segment by segment';
    throw new BloomError(error.code, error.message, hint);
  }
}
