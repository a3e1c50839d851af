// The exports of 'bloomery' for programs: the engine of the commands, behind few functions. LIBRARY.md is made from the comments.

export { BloomError, type ErrorCode } from '../bloom-error.ts';
export { buildFilter } from './build.ts';
export { compareFilters, type EstimatedKeys, type EstimatedShare, type FilterOverlap } from './compare.ts';
export { type IndexOfFiles, openIndex } from './file-index.ts';
export type { Filter, FilterStats, HashName, Key, KindName, SaveOptions } from './filter.ts';
export { mergeFilters } from './merge.ts';
export { openFilter } from './open.ts';
export type { BuildOptions, FilterSize, OpenOptions, SizeOptions } from './options.ts';
export { sizeFilter } from './size.ts';
