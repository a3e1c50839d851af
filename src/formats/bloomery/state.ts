import type { FormatMark } from '../mark.ts';
import { STATE_MAGIC } from './state-head.ts';

/** What `bloom dedup` keeps in several filters, which only that asks. */
export const state: FormatMark = {
  system: 'bloom dedup',
  purpose: 'bloom dedup --state',
  signatures: [[...STATE_MAGIC]],
  refusal: () => ({
    what: 'a state of bloom dedup that has several filters, of windows or of sightings',
    hint: 'bloom dedup --state goes on with it, with the flags that made it',
  }),
};
