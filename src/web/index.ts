// What pages, workers and scripts of any engine import from 'bloomery/web'.

export { BloomError, type ErrorCode } from '../bloom-error.ts';
export type {
  Key,
  WebAnswers,
  WebFilter,
  WebInfo,
  WebNumbers,
  WebOptions,
  WebPart,
  WebSource,
  WebTraffic,
} from './filter.ts';
export { openFilter } from './open.ts';
