import { damaged } from '../../errors.ts';
import { sum } from '../../filters/kind.ts';
import { linkedBy, linkedShape } from '../../filters/linked.ts';
import { steppedBloom } from '../../filters/stepped.ts';
import { type Cursor, createCursor } from '../../io/cursor.ts';
import { putBack } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import type { PositionedFile } from '../../io/positioned.ts';
import { bears } from '../../io/signature.ts';
import { type ByteSource, memorySource, readFully, readWhole } from '../../io/source.ts';
import { STEPS } from '../../sizing/steps.ts';
import type { SystemPlan } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint } from '../array-blueprint.ts';
import { fileOfArrays, readHead } from '../bit-array-file.ts';
import type { Description, Target } from '../description.ts';
import type { BitArrayFile, BitsInOrder, Format, StoredArray } from '../format.ts';
import { blueprintOf, type Container, commands, emptied, raw, reserved } from './blueprint.ts';
import { type Chunks, readCommands } from './commands.ts';
import { COMMANDS, type ContainerName, DUMP, SELECT } from './containers.ts';
import { type Dumped, decodeDump, dumped } from './dump.ts';
import { decodeHeader, headerBytes, TELLING_BYTES } from './header.ts';
import { type ChangeableLinks, type Links, OPTIONS, shapeOf } from './links.ts';
import { mergingOf } from './merging.ts';

/** The key under which new filters are restored. */
const KEY = Buffer.from('bloom');

/** An empty filter, as BF.RESERVE makes it. */
export function newBlueprint(
  { items, fpr, growth }: SystemPlan,
  format: Format,
  isScaling: boolean,
  name: ContainerName,
): ArrayBlueprint {
  return blueprintOf(reserved(items, fpr, isScaling, growth), CONTAINERS[name], describing(format));
}

const CONTAINERS: Readonly<Record<ContainerName, Container>> = { commands: commands(KEY), raw, dumped };

/** How a file with this container is changed. A filter without a growth has the header of an older version. */
function changing(
  links: Links,
  container: Container,
  format: Format,
): Pick<BitArrayFile, 'blueprint' | 'like' | 'merging' | 'fixedAs'> {
  const { growth } = links;
  if (growth === undefined) return { fixedAs: 'it was written by a version before 2.2' };
  const describe = describing(format);
  const blueprint = (some: ChangeableLinks) => blueprintOf(some, container, describe);
  const known = { ...links, growth };
  return {
    blueprint: blueprint(known),
    like: () => blueprint(emptied(known)),
    merging: mergingOf(known, container, describe),
  };
}

export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const begin = new Uint8Array(COMMANDS.length);
  const head = begin.subarray(0, await readFully(source, begin));
  const whole = putBack(head, source);
  if (bears(head, COMMANDS) || bears(head, SELECT)) return openCommands(whole, name, format);
  return bears(head, DUMP) ? openDump(whole, name, format) : openRaw(whole, name, format);
}

async function openRaw(source: ByteSource, name: string, format: Format): Promise<BitArrayFile> {
  const begun = await readHead(source, name, TELLING_BYTES);
  const offset = headerBytes(begun, name);
  const more = putBack(new Uint8Array(begun.buffer), source);
  if (source.size !== undefined && source.size < offset) throw damaged(name, 'it ends within its header');
  const links = decodeHeader(await readHead(more, name, offset), name);
  const arrays = links.links.map((link) => ({ shape: shapeOf(link), bytes: link.bytes }));
  return fileOfArrays(more, {
    name,
    description: descriptionOf(format, links),
    arrays,
    offset,
    mayHaveMore: false,
    ...changing(links, raw, format),
  });
}

/** Commands. In a regular file their bits are skipped, because the commands state their positions. */
async function openCommands(source: ByteSource, name: string, format: Format): Promise<BitArrayFile> {
  const cursor = createCursor(source);
  const chunks = await readCommands(cursor, name);
  const { file, size } = source;
  const arrays = file === undefined ? unlocatedArrays(chunks.links) : await locatedArrays(chunks, cursor, file);
  return {
    layout: 'arrays',
    name,
    description: withBytes(descriptionOf(format, chunks.links), size),
    arrays,
    inOrder: file === undefined ? chunksInOrder(chunks, cursor, name) : undefined,
    verified: undefined,
    ...changing(chunks.links, commands(chunks.key, chunks.database), format),
    close: () => source.close(),
  };
}

/** The output of DUMP is compressed, and its checksum covers all of it. It is therefore read completely. */
async function openDump(source: ByteSource, name: string, format: Format): Promise<BitArrayFile> {
  const bytes = await readWhole(source);
  const filter = decodeDump(bytes, name);
  return {
    layout: 'arrays',
    name,
    ...dumpedFilter(filter, name, bytes.length, format),
    verified: 'opened',
    ...changing(filter.links, dumped, format),
    close: () => source.close(),
  };
}

/** A filter whose bits are in memory. `bytes` is the size of its file. */
export function dumpedFilter(
  { links, bits }: Dumped,
  name: string,
  fileBytes: number,
  format: Format,
): Pick<BitArrayFile, 'description' | 'arrays' | 'inOrder'> {
  const inMemory = bits.map((array) => memorySource(name, array));
  return {
    description: withBytes(descriptionOf(format, links), fileBytes),
    arrays: unlocatedArrays(links),
    inOrder: {
      areInMemory: true,
      async readBits(array, into) {
        inMemory[array]?.read(into);
      },
      finish: async () => {},
    },
  };
}

function withBytes(description: Description, bytes: number | undefined): Description {
  return bytes === undefined ? description : { ...description, bytes };
}

/** Describes filters of a format. */
const describing = (format: Format) => (links: Links) => descriptionOf(format, links);

function descriptionOf(format: Format, { items, options, links }: Links): Description {
  const [only, ...others] = links;
  const isOne = only !== undefined && others.length === 0;
  const wide = (options & OPTIONS.force64) !== 0;
  const kind = steppedBloom(STEPS[wide ? 'double-hashing' : 'double-hashing-32']);
  return {
    format,
    kind: isOne ? kind : linkedBy(kind),
    shape: isOne ? { bits: only.bits, segments: 1, segmentBits: only.bits, k: only.k } : linkedShape(links),
    rules: wide ? { ...RULES, hash: 'murmur64a', seed: SEED_64 } : { ...RULES, hash: 'murmur2', seed: SEED_32 },
    target: targetOf(options, links),
    inserted: items,
  };
}

const RULES = { ignoreCase: false, trim: false };
const SEED_64 = 0xc6a4a7935bd1e995n;
const SEED_32 = 0x9747b28cn;

/**
 * The arrays of a growing filter together have its rate, so the first array has half of it. Old versions did not
 * halve the rate.
 */
function targetOf(options: number, links: Links['links']): Target {
  const grows = (options & OPTIONS.noRound) !== 0 && (options & OPTIONS.noScaling) === 0;
  return {
    capacity: sum(links.map(({ capacity }) => capacity)),
    targetFpr: Math.min(1, (grows ? 2 : 1) * (links[0]?.fpr ?? 1)),
  };
}

/** The positions of arrays whose bits are in commands of a file. Throws a `format` error if the file lacks some of their bits. */
async function locatedArrays(chunks: Chunks, cursor: Cursor, file: PositionedFile): Promise<StoredArray[]> {
  const arrays: StoredArray[] = [];
  for (const link of chunks.links.links) {
    const parts: { offset: number; bytes: number }[] = [];
    for (let left = link.bytes; left > 0; ) {
      const bytes = await chunks.begin();
      parts.push({ offset: cursor.position(), bytes });
      await cursor.skip(bytes);
      await chunks.end();
      left -= bytes;
    }
    arrays.push({ shape: shapeOf(link), bytes: link.bytes, stored: { file, parts } });
  }
  await chunks.finish();
  return arrays;
}

/** Arrays that can only be read in order. */
function unlocatedArrays({ links }: Links): StoredArray[] {
  return links.map((link) => ({ shape: shapeOf(link), bytes: link.bytes, stored: undefined }));
}

/** Reads the bits of commands one after the other. */
function chunksInOrder(chunks: Chunks, cursor: Cursor, name: string): BitsInOrder {
  let left = 0;
  return {
    async readBits(_, into) {
      for (let end = 0; end < into.length; ) {
        if (left === 0) left = await chunks.begin();
        const bytes = await cursor.take(Math.min(left, into.length - end));
        if (bytes.length === 0) throw damaged(name, 'it ends within its bits');
        into.set(bytes, end);
        end += bytes.length;
        left -= bytes.length;
        if (left === 0) await chunks.end();
      }
    },
    finish: () => chunks.finish(),
  };
}
