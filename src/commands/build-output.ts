import { type Built, buildFilter } from '../engine/build.ts';
import { parametersOfCounted } from '../engine/build-counted.ts';
import { buildInPasses } from '../engine/build-passes.ts';
import type { Design } from '../engine/design.ts';
import { areRegular, fileOf, type Input } from '../engine/input/input.ts';
import type { Reading, Threads } from '../engine/reading.ts';
import { buildKeptParts } from '../engine/resumable-passes.ts';
import { type Content, surveyContent } from '../engine/survey.ts';
import { BloomError } from '../errors.ts';
import type { Fill, FilterKind } from '../filters/kind.ts';
import type { Description, OwnDescription } from '../formats/description.ts';
import { openFilterFile } from '../formats/open.ts';
import { FORMATS } from '../formats/registry.ts';
import { writeFilter } from '../formats/write.ts';
import type { Output } from '../io/atomic-file.ts';
import { displayName, lookAt } from '../io/look.ts';
import { plural } from '../quantities.ts';
import { requireParts, requireSegments } from './build-parts.ts';
import { writeWatched } from './outputs.ts';
import type { Watch } from './watch.ts';

/** Checks that may refuse a filter before it is written or renamed. */
export interface Judging {
  /** Called when all inputs have been read. */
  onRead(): void;
  /** Called when the filter has all its keys. */
  onBuilt(description: Description, content: Content): void;
  /** Called when the filter is complete and has no keys. `elsewhere` keys belong to other parts. */
  onEmpty(description: Description, elsewhere: number): Promise<void>;
}

/** A filter that was built and written. */
export interface WrittenBuild
  extends Pick<
    Built,
    'parameters' | 'description' | 'inserted' | 'skipped' | 'empty' | 'unplanned' | 'elsewhere' | 'clashes'
  > {
  readonly content: Content;
}

/** Builds a filter in memory and writes it. */
export async function writeWhole(
  design: Design,
  reading: Reading,
  threads: Threads,
  output: Output,
  { onRead, onBuilt, onEmpty }: Judging,
  watch: Watch,
): Promise<WrittenBuild> {
  const built = await buildFilter(design, reading, threads).finally(watch.finish);
  const { description, contents, distinct } = built;
  const fill = contents.fills();
  const content = surveyContent(description, fill, distinct);
  onBuilt(description, content);
  onRead();
  if (built.inserted === 0) await onEmpty(description, built.elsewhere);
  await writeWatched(watch, output, threads.context.kernel, { description, contents, fill });
  return { ...built, content };
}

/** A filter that is built in several passes over its inputs. */
interface PassesDesign {
  readonly design: Design<FilterKind>;
  readonly passes: number;
  /** Whether finished parts are kept. */
  readonly isResumed: boolean;
}

/**
 * Throws an `input` error if a filter without keys would replace a filter with keys: an earlier command of a pipe may
 * have failed.
 */
export async function refuseEmptyOver(output: Output): Promise<void> {
  if (output.name === '-' || lookAt(output.name)?.isFile() !== true) return;
  const keys = await keysIn(output.name);
  if (keys === 0) return;
  const has = keys === undefined ? 'may have some' : `has ${plural(keys, 'key')}`;
  throw new BloomError(
    'input',
    `${displayName(output.name)} was left as it was: the input has no keys, and this filter ${has}`,
    'check the input; to make an empty filter, remove the file first',
  );
}

/**
 * The number of keys of a filter according to its file. Undefined if the file does not state it, and 0 if it is not a
 * filter.
 */
async function keysIn(name: string): Promise<number | undefined> {
  try {
    const file = await openFilterFile(name, 'report');
    file.close();
    return file.description.inserted;
  } catch (error) {
    if (error instanceof BloomError) return 0;
    throw error;
  }
}

/** Throws a `usage` error for a filter that cannot be built in passes, and for inputs that can be read only once. */
export function requirePasses(
  design: Design,
  inputs: readonly Input[],
  passes: number,
  isResumed: boolean,
): PassesDesign {
  const own = requireSegments(design, '--passes');
  if (design.size.type !== 'counted') {
    const { shape } = design.size.parameters;
    if (shape.share !== undefined)
      throw new BloomError(
        'usage',
        '--passes builds a whole filter, and --like names a part of one',
        'leave out --passes or --like',
      );
    requireParts(shape.segments, passes);
  }
  const once = inputs.find((input) => !areRegular([input]));
  if (once === undefined) return { design: own, passes, isResumed };
  throw new BloomError(
    'usage',
    `--passes reads its inputs ${passes} times, and ${displayName(fileOf(once) ?? '-')} can be read only once`,
    'build from files, or pipe the records into one build per --part',
  );
}

/** Builds a filter in passes over its inputs, and writes each part when it is complete. */
export async function writeInPasses(
  { design: { kind, rules, size, note, origin }, passes, isResumed }: PassesDesign,
  reading: Reading,
  threads: Threads,
  output: Output,
  { onRead, onBuilt, onEmpty }: Judging,
): Promise<WrittenBuild> {
  const parameters =
    size.type === 'counted'
      ? await parametersOfCounted({ kind, rules }, size.parametersFor, reading, threads)
      : size.parameters;
  const { shape, capacity, targetFpr } = parameters;
  requireParts(shape.segments, passes);
  if (isResumed) {
    const blank = { format: FORMATS[0], kind, shape, rules, target: { capacity, targetFpr } };
    const kept = await buildKeptParts(blank, passes, reading, threads, output);
    const { inserted, skipped, empty } = kept;
    onRead();
    const description: OwnDescription = { ...blank, inserted, note, origin };
    if (inserted === 0) await onEmpty(description, 0);
    const content = surveyContent(description, kept.fills);
    onBuilt(description, content);
    await kept.write(description);
    return { parameters, description, content, inserted, skipped, empty, unplanned: 0, elsewhere: 0, clashes: 0 };
  }
  const built = await buildInPasses({ kind, rules }, shape, passes, reading, threads);
  const { inserted, skipped, empty, supply, distinct } = built;
  onRead();
  const target = { capacity, targetFpr };
  const description: OwnDescription = { format: FORMATS[0], kind, shape, rules, target, inserted, note, origin };
  if (inserted === 0) await onEmpty(description, 0);
  const fill: Fill[] = [];
  let content: Content | undefined;
  await writeFilter(output, threads.context.kernel, description, async (index) => {
    const segment = await supply(index);
    fill.push(segment.fill);
    if (fill.length === shape.segments) {
      content = surveyContent(description, fill, distinct());
      onBuilt(description, content);
    }
    return segment;
  });
  if (content === undefined) throw new Error('no segment was written');
  const clashes = built.clashes();
  return { parameters, description, content, inserted, skipped, empty, unplanned: 0, elsewhere: 0, clashes };
}
