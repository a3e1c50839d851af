import type { CommandModule } from './command.ts';

/** The groups of commands in the order of the help. */
const MAKE = 'Make and change filters:';
const QUERY = 'Query:';
const LOOK_AFTER = 'Plan and look after:';

interface Registered {
  readonly group: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

/** Every command, its purpose and its module. Only the command that runs is loaded. */
export const COMMANDS: Readonly<Record<string, Registered>> = {
  build: { group: MAKE, summary: 'make a filter from records', load: () => import('./build.ts') },
  add: { group: MAKE, summary: 'add records to a filter in place', load: () => import('./add.ts') },
  remove: { group: MAKE, summary: 'remove records from a filter in place', load: () => import('./remove.ts') },
  merge: { group: MAKE, summary: 'make the union of filters', load: () => import('./merge.ts') },
  digest: { group: MAKE, summary: 'hash records, to build filters from them later', load: () => import('./digest.ts') },
  index: { group: MAKE, summary: 'make an index of the keys of many files', load: () => import('./index.ts') },
  query: { group: QUERY, summary: 'print the records that may be in a filter', load: () => import('./query.ts') },
  dedup: { group: QUERY, summary: 'print each record the first time it is seen', load: () => import('./dedup.ts') },
  count: { group: QUERY, summary: 'count distinct records', load: () => import('./count.ts') },
  size: { group: LOOK_AFTER, summary: 'compute how large a filter must be', load: () => import('./size.ts') },
  stats: {
    group: LOOK_AFTER,
    summary: 'report how full a filter is and measure its error rate',
    load: () => import('./stats.ts'),
  },
  compare: {
    group: LOOK_AFTER,
    summary: 'estimate how many keys lists have in common',
    load: () => import('./compare.ts'),
  },
  formats: {
    group: LOOK_AFTER,
    summary: 'list the formats of other systems and what is supported',
    load: () => import('./formats.ts'),
  },
  completion: {
    group: LOOK_AFTER,
    summary: 'print a script that completes commands in your shell',
    load: () => import('./completion.ts'),
  },
};

/** The group of `bloom help`. */
export const HELP_GROUP = LOOK_AFTER;
