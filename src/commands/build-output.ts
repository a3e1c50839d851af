import { type Built, buildFilter } from '../engine/build.ts';
import { parametersOfCounted } from '../engine/build-counted.ts';
import { buildInPasses } from '../engine/build-passes.ts';
import type { Design } from '../engine/design.ts';
import { areRegular, fileOf, type Input } from '../engine/input/input.ts';
import type { Reading, Threads } from '../engine/reading.ts';
import { type Content, surveyContent } from '../engine/survey.ts';
import { BloomError } from '../errors.ts';
import type { Fill, FilterKind } from '../filters/kind.ts';
import type { Description, OwnDescription } from '../formats/description.ts';
import { FORMATS } from '../formats/registry.ts';
import { writeFilter } from '../formats/write.ts';
import type { Output } from '../io/atomic-file.ts';
import { displayName } from '../io/look.ts';
import { requireParts, requireSegments } from './build-parts.ts';
import { writeWatched } from './outputs.ts';
import type { Watch } from './watch.ts';

/** What may refuse a filter before it is written, or before it takes its name. */
export interface Judging {
  /** Once all inputs were read. */
  onRead(): void;
  /** Once it has all its keys. */
  onBuilt(description: Description, content: Content): void;
}

/** A filter that was built and written. */
export interface WrittenBuild
  extends Pick<Built, 'parameters' | 'description' | 'inserted' | 'skipped' | 'late' | 'elsewhere'> {
  readonly content: Content;
}

/** Builds a filter in memory and writes it. */
export async function writeWhole(
  design: Design,
  reading: Reading,
  threads: Threads,
  output: Output,
  { onRead, onBuilt }: Judging,
  watch: Watch,
): Promise<WrittenBuild> {
  const built = await buildFilter(design, reading, threads).finally(watch.finish);
  const { description, contents, distinct } = built;
  const fill = contents.fills();
  const content = surveyContent(description, fill, distinct);
  onBuilt(description, content);
  onRead();
  await writeWatched(watch, output, threads.context.kernel, { description, contents, fill });
  return { ...built, content };
}

/** A filter that is built in so many passes over its inputs. */
interface PassesDesign {
  readonly design: Design<FilterKind>;
  readonly passes: number;
}

/** Throws a `usage` error for a filter that cannot be built in passes, and for inputs that can be read only once. */
export function requirePasses(design: Design, inputs: readonly Input[], passes: number): PassesDesign {
  const own = requireSegments(design, '--passes');
  if (design.size.type !== 'counted') {
    const { shape } = design.size.parameters;
    if (shape.share !== undefined)
      throw new BloomError(
        'usage',
        '--passes makes all parts of a filter, not those of a part',
        'drop --passes, or --like',
      );
    requireParts(shape.segments, passes);
  }
  const once = inputs.find((input) => !areRegular([input]));
  if (once === undefined) return { design: own, passes };
  throw new BloomError(
    'usage',
    `--passes reads its inputs ${passes} times, and ${displayName(fileOf(once) ?? '-')} can be read only once`,
    'build from files, or build each --part from such a pipe',
  );
}

/** Builds a filter in passes over its inputs, and writes each part when it is built. */
export async function writeInPasses(
  { design: { kind, rules, size, note }, passes }: PassesDesign,
  reading: Reading,
  threads: Threads,
  output: Output,
  { onRead, onBuilt }: Judging,
): Promise<WrittenBuild> {
  const parameters =
    size.type === 'counted'
      ? await parametersOfCounted({ kind, rules }, size.parametersFor, reading, threads)
      : size.parameters;
  const { shape, capacity, targetFpr } = parameters;
  requireParts(shape.segments, passes);
  const built = await buildInPasses({ kind, rules }, shape, passes, reading, threads);
  const { inserted, skipped, supply, distinct } = built;
  onRead();
  const target = { capacity, targetFpr };
  const description: OwnDescription = { format: FORMATS[0], kind, shape, rules, target, inserted, note };
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
  return { parameters, description, content, inserted, skipped, late: 0, elsewhere: 0 };
}
