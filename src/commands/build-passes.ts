import { buildInPasses } from '../engine/build-passes.ts';
import type { BuildRequest } from '../engine/build-request.ts';
import { parametersOfCounted } from '../engine/build-sized.ts';
import type { Design } from '../engine/design.ts';
import { areRegular, fileOf, type Input } from '../engine/input/input.ts';
import { type Content, surveyContent } from '../engine/survey.ts';
import { BloomError } from '../errors.ts';
import type { Fill } from '../filters/kind.ts';
import type { Description } from '../formats/description.ts';
import { FORMATS } from '../formats/registry.ts';
import { writeFilter } from '../formats/write.ts';
import type { Output } from '../io/atomic-file.ts';
import { displayName } from '../io/look.ts';
import { requireParts, requireSegments } from './build-parts.ts';
import type { Judging, WrittenBuild } from './build-whole.ts';

/** Throws a `usage` error for a filter that cannot be built in passes, and for inputs that can be read only once. */
export function requirePasses(design: Design, inputs: readonly Input[], passes: number): void {
  requireSegments(design, '--passes');
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
  if (once === undefined) return;
  throw new BloomError(
    'usage',
    `--passes reads its inputs ${passes} times, and ${displayName(fileOf(once) ?? '-')} can be read only once`,
    'build from files, or build each --part from such a pipe',
  );
}

/** Builds a filter in passes over its inputs, and writes each part when it is built. */
export async function writeInPasses(
  { kind, rules, size, note }: Design,
  request: BuildRequest,
  passes: number,
  output: Output,
  { onRead, onBuilt }: Judging,
): Promise<WrittenBuild> {
  const isCounted = size.type === 'counted';
  const parameters = isCounted ? await parametersOfCounted(request, size.parametersFor) : size.parameters;
  const { shape, capacity, targetFpr } = parameters;
  requireParts(shape.segments, passes);
  const { inserted, skipped, supply, distinct } = await buildInPasses(request, shape, passes);
  onRead();
  const target = { capacity, targetFpr };
  const description: Description = { format: FORMATS[0], kind, shape, rules, target, inserted, note };
  const fill: Fill[] = [];
  let content: Content | undefined;
  await writeFilter(output, request.context.kernel, description, async (index) => {
    const segment = await supply(index);
    fill.push(segment.fill);
    if (fill.length === shape.segments) {
      content = surveyContent(description, fill, distinct());
      onBuilt(description, content);
    }
    return segment;
  });
  if (content === undefined) throw new Error('no segment was written');
  return { parameters, description, content, result: { inserted, skipped, late: 0, elsewhere: 0 } };
}
