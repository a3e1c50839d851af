import type { FormatMark } from '../mark.ts';
import { STATE_MAGIC } from './state-head.ts';

/** A state of `bloom dedup` with several filters. No other command can use it. */
export const state: FormatMark = {
  system: 'bloom dedup',
  purpose: 'bloom dedup --state',
  signatures: [[...STATE_MAGIC]],
  refusal: () => ({
    what: 'a state of bloom dedup with several filters (windows or sightings)',
    hint: 'continue it with bloom dedup --state and the flags that made it',
  }),
};
