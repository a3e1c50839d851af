// Every flag of the command line, defined once: its name, its help and its grammar, in the file of its group.
// Commands choose from them.

import { answersFlags } from './flags/answers.ts';
import { filterFlags } from './flags/filter.ts';
import { generalFlags } from './flags/general.ts';
import { inputsFlags } from './flags/inputs.ts';
import { keysFlags } from './flags/keys.ts';
import { measuresFlags } from './flags/measures.ts';
import { outputsFlags } from './flags/outputs.ts';
import { sightingsFlags } from './flags/sightings.ts';
import { sizeFlags } from './flags/size.ts';

export const flags = {
  ...answersFlags,
  ...sightingsFlags,
  ...measuresFlags,
  ...sizeFlags,
  ...filterFlags,
  ...keysFlags,
  ...inputsFlags,
  ...outputsFlags,
  ...generalFlags,
} as const;
