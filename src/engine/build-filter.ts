import { type Blueprint, type BuildRequest, type BuildResult, countsOf, keysOf, read } from './build-request.ts';
import { type SegmentContents, segmentContents } from './filter/contents.ts';
import { type LoadedArrays, type LoadedFilter, type SharedFilter, sharedPart } from './filter/loaded-filter.ts';
import { requireMemory, requireMemoryToBuild } from './filter/payload.ts';
import { recordsWithout } from './tasks/tally.ts';
import { arrayVessel, newVessel, sealDrafts, segmentVessel, type Vessel } from './vessel.ts';

/** Adds the keys of all inputs to a new filter; with `trims` nobody asked for the size that one that grows begins with. */
export function buildWithShape(request: BuildRequest, blueprint: Blueprint, trims = false): Promise<BuildResult> {
  const requireRoom = blueprint.draft === undefined ? requireMemoryToBuild : requireMemory;
  requireRoom(blueprint.shape, request.kind);
  return filled(request, newVessel(request, blueprint, trims));
}

/** Adds the keys of all inputs to a filter that was loaded. */
export function addToFilter(request: BuildRequest, loaded: LoadedFilter | LoadedArrays): Promise<BuildResult> {
  const { shape, inserted } = loaded.description;
  requireMemory(shape, request.kind);
  if ('draft' in loaded) return filled(request, arrayVessel(request, loaded.draft, loaded.shared));
  const distinct = request.kind.itemsFromFill(loaded.fills(), shape);
  const held = { keys: inserted ?? Math.round(distinct.count), distinct };
  return filled(request, segmentVessel(request, sharedPart(loaded), { held }));
}

async function filled(request: BuildRequest, vessel: Vessel): Promise<BuildResult> {
  const results = await read({ ...request, pool: vessel.pool }, vessel.adding(false));
  return vessel.completed({ counted: results, filled: results });
}

/**
 * Removes the keys of all inputs from a filter; those that are absent, and records that have none, are only counted.
 */
export async function removeFrom(
  request: BuildRequest,
  filter: SharedFilter,
): Promise<{ contents: SegmentContents; removed: number; absent: number; skipped: number; elsewhere: number }> {
  requireMemory(filter.payload.shape, request.kind);
  const results = await read(request, { type: 'remove', ...keysOf(request), filter });
  const removed = results.reduce((all, { positives }) => all + positives, 0);
  const counts = countsOf(results);
  const { keys, elsewhere } = counts;
  const segments = await sealDrafts(request, filter);
  return {
    contents: segmentContents(filter, segments),
    removed,
    absent: keys - elsewhere - removed,
    skipped: recordsWithout(counts),
    elsewhere,
  };
}
