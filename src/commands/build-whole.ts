import { buildDesigned } from '../engine/build-designed.ts';
import type { BuildRequest, BuildResult } from '../engine/build-request.ts';
import type { Design } from '../engine/design.ts';
import type { FilterParameters } from '../engine/filter-parameters.ts';
import { type Content, surveyContent } from '../engine/survey.ts';
import type { Description } from '../formats/description.ts';
import type { Output } from '../io/atomic-file.ts';
import { writeWatched } from './outputs.ts';
import type { Watch } from './watch.ts';

/** What may refuse a filter before it is written, or takes its name. */
export interface Judging {
  /** Once all inputs were read. */
  onRead(): void;
  /** Once it has all its keys. */
  onBuilt(description: Description, content: Content): void;
}

/** A filter that was built and written. */
export interface WrittenBuild {
  readonly parameters: FilterParameters;
  readonly description: Description;
  readonly content: Content;
  readonly result: Pick<BuildResult, 'inserted' | 'skipped' | 'late' | 'elsewhere'>;
}

/** Builds a filter in memory, and then writes it. */
export async function writeWhole(
  design: Design,
  request: BuildRequest,
  output: Output,
  { onRead, onBuilt }: Judging,
  watch: Watch,
): Promise<WrittenBuild> {
  const { parameters, description, result } = await buildDesigned(design, request).finally(watch.finish);
  const { contents } = result;
  const fill = contents.fills();
  const content = surveyContent(description, fill, result.distinct);
  onBuilt(description, content);
  onRead();
  await writeWatched(watch, output, request.context.kernel, { description, contents, fill });
  return { parameters, description, content, result };
}
