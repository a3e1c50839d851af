import { writeFilter } from '../formats/write.ts';
import { checkOutput, type Output } from '../io/atomic-file.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { segmentBytes } from '../sizing/geometry.ts';
import { requireBooleans } from './checks.ts';
import { nameOfFile } from './file-name.ts';
import type { Filter, SaveOptions } from './filter.ts';
import type { Current, Held } from './held.ts';
import { requireKnown } from './known-options.ts';

/** Writes a filter as it is when a method is called. Later changes have no effect on the output. */
export function createSaving(kernel: Kernel, current: Current, held: Held): Pick<Filter, 'save' | 'toBytes'> {
  const begin = createWriting(kernel, current);
  const inTurn = createTurns();
  let { file } = held;
  return {
    async save(to: string | URL, options: SaveOptions = {}) {
      requireKnown('save', options);
      const { replace = true } = options;
      requireBooleans({ replace });
      const name = nameOfFile(to);
      const { write, release } = begin();
      // One after the other: otherwise an older state could replace the file last.
      await inTurn(async () => {
        const isItsOwn = name === file?.name;
        const onPlaced = (state: string | undefined) => {
          file = { name, state };
        };
        const output: Output = { name, replace, ...(isItsOwn && { unchangedSince: file?.state, onPlaced }) };
        await checkOutput(output, []);
        await write(output);
      }).finally(release);
    },
    async toBytes() {
      const { write, release } = begin();
      const pieces: Uint8Array[] = [];
      const append = async (bytes: Uint8Array) => void pieces.push(new Uint8Array(bytes));
      await write({ name: held.name, replace: true, append }).finally(release);
      return Buffer.concat(pieces);
    },
  };
}

/** Begins to write a filter as it is now. */
function createWriting(kernel: Kernel, current: Current) {
  /** Buffers that no write uses now. Their number is the largest number of simultaneous writes so far. */
  const spares: Buffers[] = [];
  return () => {
    const { description, fills, read, release } = current.snapshot();
    return {
      async write(output: Output): Promise<void> {
        const bytes = segmentBytes(description.shape);
        const pair = spares.pop() ?? [kernel.reserve(bytes), kernel.reserve(bytes)];
        try {
          await writeFilter(output, kernel, description, (index) => {
            const address = pair[index % 2] ?? pair[0];
            const fill = fills[index];
            if (fill === undefined) throw new Error('nobody knows how full a segment is');
            read(kernel, address);
            return { kernel, address, fill };
          });
        } finally {
          spares.push(pair);
        }
      },
      release,
    };
  };
}

/** Two buffers, because one segment is written while the next is read. All segments of a filter have the same size. */
type Buffers = readonly [number, number];

/** Runs each work after all works before it have ended. */
function createTurns(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
