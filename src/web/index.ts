// What pages, workers and scripts of any engine import from 'bloomery/web'.

export { BloomError, type ErrorCode } from '../bloom-error.ts';
export type { Key, WebFilter, WebInfo, WebOptions, WebSource, WebTraffic } from './filter.ts';
export { openFilter } from './open.ts';
