import type { FormatMark } from '../mark.ts';

/** The first bytes of an index of files. Any transfer that is not binary changes them, like those of PNG. */
export const INDEX_MAGIC = Uint8Array.of(0x89, 0x42, 0x4c, 0x49, 0x0d, 0x0a, 0x1a, 0x0a);

/** The output of `bloom index`. Commands for filters refuse it. */
export const fileIndex: FormatMark = {
  system: 'bloom index',
  purpose: 'bloom query INDEX -e KEY',
  signatures: [[...INDEX_MAGIC]],
  refusal: () => ({
    what: 'an index of files',
    why: 'not a filter',
    hint: 'bloom query INDEX -e KEY and bloom stats INDEX read it, and bloom index FILE... --update -o INDEX updates it',
  }),
};
