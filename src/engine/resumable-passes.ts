// A filter that is built part by part. Each part is kept in a file beside the output until the filter is complete. So an interrupted build
// continues with the missing part.

import { BloomError } from '../errors.ts';
import type { Fill, Shape } from '../filters/kind.ts';
import { sum } from '../filters/kind.ts';
import { checksumOf } from '../formats/checksum.ts';
import type { OwnDescription } from '../formats/description.ts';
import type { SegmentedFile } from '../formats/format.ts';
import { openFilterFile } from '../formats/open.ts';
import type { Origin } from '../formats/origin.ts';
import { nameOfKeyHash } from '../hashes/key-hashes.ts';
import type { Output } from '../io/atomic-file.ts';
import { stateOf } from '../io/look.ts';
import { removeOwn } from '../io/remove-at-end.ts';
import { siblingOf } from '../io/sibling.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { segmentBytes } from '../sizing/geometry.ts';
import { partOf } from '../sizing/share.ts';
import { buildPart } from './build-passes.ts';
import { fileOf, type Input } from './input/input.ts';
import { inPass } from './read-again.ts';
import type { Reading, Threads } from './reading.ts';
import { segmented } from './store/merge.ts';
import { mergeSegments } from './store/merge-segments.ts';
import { emptiedPayload, requireMemoryToBuild } from './store/payload.ts';
import { createFilter, sharedSegments } from './store/shared-segments.ts';

/** The parts of a filter, all of which are in files. */
export interface KeptParts {
  readonly inserted: number;
  /** Records without a key, and keys of zero bytes. */
  readonly skipped: number;
  readonly empty: number;
  readonly fills: readonly Fill[];
  /** Joins the parts to the output, and removes them. */
  write(description: OwnDescription): Promise<void>;
}

/** The properties of a filter without its keys. */
type Blank = Pick<OwnDescription, 'format' | 'kind' | 'rules' | 'target'> & { readonly shape: Shape };

/**
 * Builds the parts of a filter that are not in intact files yet. The last part is always built, because its pass counts the records. Throws
 * a `changed` error if an input changes meanwhile, and the error of an input that cannot be read.
 */
export async function buildKeptParts(
  blank: Blank,
  passes: number,
  reading: Reading,
  { context: { kernel }, pool }: Threads,
  output: Output,
): Promise<KeptParts> {
  const shapes = Array.from({ length: passes }, (_, i) => partOf(blank.shape, i + 1, passes));
  const largest = shapes.reduce((a, b) => (b.segments > a.segments ? b : a));
  const names = shapes.map((_, i) => siblingOf(output.name, `${i + 1}-of-${passes}.part`));
  const fingerprint = () => fingerprintOf(kernel, reading.inputs, [reading.selection, blank.rules.keyHash?.areGiven]);
  const inputs = fingerprint();
  const origin: Origin = { slice: 1, slices: 1, inputs };
  const expected = (shape: Shape): OwnDescription => ({ ...blank, shape, origin, inserted: 0 });

  requireMemoryToBuild(largest, blank.kind);
  const memory = createFilter(blank.kind, largest, pool.threadCount);
  const observer = {
    ...reading.observer,
    onUnreadable(error: BloomError) {
      throw error;
    },
  };
  let [skipped, empty] = [0, 0];
  for (const [i, shape] of shapes.entries()) {
    const name = names[i] ?? '';
    const isLast = i === passes - 1;
    if (!isLast && (await isIntact(kernel, name, expected(shape)))) continue;
    const filter = sharedSegments(memory.kind, emptiedPayload(memory.payload, shape));
    const numbered = inPass({ ...reading, observer }, () => ({ number: i + 1, of: passes }));
    const part = await buildPart(blank, filter, numbered, { context: { kernel, threadIndex: 0 }, pool });
    if (fingerprint() !== inputs) throw changed();
    const description = { ...expected(shape), inserted: part.inserted };
    await part.contents.write({ name, replace: true }, kernel, description, part.contents.fills(), () => {});
    ({ skipped, empty } = part);
  }
  const files = await Promise.all(names.map((name) => openPart(kernel, name)));
  return {
    inserted: sum(files.map(({ description }) => description.inserted ?? 0)),
    ...{ skipped, empty },
    fills: files.flatMap((file) => file.locate(kernel)?.fills?.() ?? []),
    async write(description) {
      await mergeSegments(kernel, files, description, output);
      for (const file of files) file.close();
      for (const name of names) removeOwn(name);
    },
  };
}

/** A fingerprint of the states of all inputs, which changes whenever one of them is written to, and of how keys are read. */
function fingerprintOf(kernel: Kernel, inputs: readonly Input[], keys: readonly unknown[]): bigint {
  const states = inputs.map((input) => {
    const file = fileOf(input);
    return file === undefined ? input : [stateOf(file), typeof input === 'string' ? '' : input];
  });
  const text = JSON.stringify([states, keys], (_, value) => (value === Number.POSITIVE_INFINITY ? 'end' : value));
  return checksumOf(kernel, Buffer.from(text));
}

async function openPart(kernel: Kernel, name: string): Promise<SegmentedFile> {
  const [file] = segmented(await openFilterFile(name, 'merge', {}, kernel));
  if (file === undefined) throw new Error(`${name} is not a part`);
  return file;
}

/** Whether a file has the expected part, and each of its segments matches its checksum. */
async function isIntact(kernel: Kernel, name: string, expected: OwnDescription): Promise<boolean> {
  if (stateOf(name) === undefined) return false;
  try {
    const file = await openPart(kernel, name);
    try {
      if (keyOf(file.description) !== keyOf(expected)) return false;
      const address = kernel.reserve(segmentBytes(expected.shape));
      for (let i = 0; i < expected.shape.segments; i++) await file.readSegment(kernel, address);
      await file.finish(kernel);
      return true;
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof BloomError) return false;
    throw error;
  }
}

/** The values that must be equal in two parts. */
function keyOf({ kind, shape, rules, target, origin }: OwnDescription): string {
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  const { bits, segments, segmentBits, k, share } = shape;
  const recorded = { ...rules, keyHash: rules.keyHash && nameOfKeyHash(rules.keyHash) };
  return JSON.stringify([kind.name, bits, segments, segmentBits, k, share, recorded, target, origin], text);
}

function changed(): BloomError {
  return new BloomError(
    'changed',
    'nothing was written: an input changed while it was read',
    'build from files that do not change',
  );
}
