import type { FormatMark } from './format.ts';

/** Version 2 of poppy: the version, one of four optimisations, and six NULs. */
export const poppy: FormatMark = {
  system: 'poppy',
  purpose: 'poppy',
  signatures: [0, 1, 2, 3].map((option) => [2, option, 0, 0, 0, 0, 0, 0]),
};
