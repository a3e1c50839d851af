import type { Description } from '../formats/description.ts';
import { FORMATS } from '../formats/registry.ts';
import { buildWithShape } from './build-filter.ts';
import type { BuildRequest, BuildResult } from './build-request.ts';
import { buildWithSizing } from './build-sized.ts';
import type { Design } from './design.ts';
import type { FilterParameters } from './filter-parameters.ts';

/** A filter that was built as it was designed. */
export interface DesignedBuild {
  readonly parameters: FilterParameters;
  readonly description: Description;
  readonly result: BuildResult;
}

/** Builds the filter of a design of the keys of all inputs. */
export async function buildDesigned(design: Design, request: BuildRequest): Promise<DesignedBuild> {
  const { parameters, result } = await built(design, request);
  const { kind, rules, keyType, note } = design;
  const { shape, inserted, contents } = result;
  const { capacity, targetFpr } = parameters;
  const target = { capacity: kind.growing?.capacity(shape) ?? capacity, targetFpr };
  const description = contents.described({ format: FORMATS[0], kind, shape, rules, keyType, target, inserted, note });
  return { parameters, description, result };
}

async function built({ size }: Design, request: BuildRequest): Promise<Omit<DesignedBuild, 'description'>> {
  if (size.type === 'counted') return buildWithSizing(request, size.parametersFor);
  const { parameters } = size;
  return { parameters, result: await buildWithShape(request, parameters, size.type === 'growing') };
}
