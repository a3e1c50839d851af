import { dirname } from 'node:path';
import type { Meter } from '../engine/input/progress.ts';
import { createGathering, type Gathering } from '../engine/store/gather.ts';
import { createHeldFilters } from '../engine/store/held-filters.ts';
import type { NamedOrigin } from '../engine/store/origins.ts';
import { freeMemory } from '../engine/store/payload.ts';
import { followingFilters } from '../formats/follow.ts';
import type { FilterFile } from '../formats/format.ts';
import { openFilterFile } from '../formats/open.ts';
import type { Opening } from '../formats/opening.ts';
import type { Output } from '../io/atomic-file.ts';
import { createBriefOpener } from '../io/brief.ts';
import { lookAt } from '../io/look.ts';
import { openSource } from '../io/source.ts';
import { type TemporaryPlace, temporaryPlace } from '../io/temporary-file.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** The largest number of files that stay open until they are merged, which is faster. */
const OPEN_LIMIT = 32;

/**
 * Filters up to this size are united in memory as they are read. Larger filters are united segment by segment. Filters that follow each
 * other in a pipe are united in memory up to the second size; larger ones wait in a temporary file.
 */
const GATHERED_BYTES = 2 ** 25;
const FOLLOWING_BYTES = 2 ** 31;

/** Filters to merge, and their number before some of them were united. */
export interface MergedInputs {
  readonly files: readonly FilterFile[];
  readonly count: number;
  /** The origin of each filter. */
  readonly origins: readonly NamedOrigin[];
}

/**
 * Opens the filters to merge for some work. `onRead` is called for each filter that is read first. The standard input
 * may have many filters.
 */
export async function withInputs<T>(
  kernel: Kernel,
  names: readonly string[],
  opening: Opening,
  output: Output | undefined,
  onRead: Meter,
  work: (inputs: MergedInputs) => Promise<T>,
): Promise<T> {
  const intake = createIntake(kernel, output, onRead);
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
  /** Accepts a filter and reads it to its end, because another one may follow. */
  takeFollowing(file: FilterFile): Promise<void>;
  finished(): Promise<MergedInputs>;
  close(): Promise<void>;
}

function createIntake(kernel: Kernel, output: Output | undefined, onRead: Meter): Intake {
  const files: FilterFile[] = [];
  const held = createHeldFilters(kernel, placeBeside(output));
  let gathered: { readonly gathering: Gathering; readonly place: number } | undefined;
  const origins: NamedOrigin[] = [];

  const note = ({ name, description: { origin, shape } }: FilterFile) => {
    origins.push({ name, description: { origin, shape } });
  };
  /** Accepts a filter that can be united at once. */
  const gather = async (file: FilterFile, mostBytes: number): Promise<boolean> => {
    const gathering = gathered?.gathering ?? createGathering(kernel, file, mostBytes, onRead);
    if (gathering === undefined) return false;
    gathered ??= { gathering, place: files.length };
    return gathering.add(file);
  };
  return {
    canStayOpen: () => files.length < OPEN_LIMIT,
    async take(file) {
      note(file);
      if (!(await gather(file, GATHERED_BYTES))) files.push(file);
    },
    async takeFollowing(file) {
      note(file);
      if (await gather(file, Math.min(FOLLOWING_BYTES, freeMemory() / 2))) return;
      files.push(await held.hold(file));
    },
    async finished() {
      const count = origins.length;
      if (gathered === undefined) return { files, count, origins };
      return { files: files.toSpliced(gathered.place, 0, await gathered.gathering.union()), count, origins };
    },
    async close() {
      await gathered?.gathering.close();
      for (const file of files) file.close();
      held.close();
    },
  };
}

/** The place of filters that wait. The folder of the output has space for one of them. Otherwise it is the folder for temporary files. */
function placeBeside(output: Output | undefined): TemporaryPlace {
  const isFile = output !== undefined && output.name !== '-' && lookAt(output.name)?.isFile() !== false;
  if (!isFile) return temporaryPlace();
  return { folder: dirname(output.name), hint: 'name files instead of -, or make space there' };
}
