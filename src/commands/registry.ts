import type { CommandModule } from './command.ts';

/** Every command: what it does, and where it is. Only the one that runs is loaded. */
export const COMMANDS: Readonly<Record<string, { summary: string; load: () => Promise<CommandModule> }>> = {
  size: { summary: 'how large a filter must be, or how good one is', load: () => import('./size.ts') },
  build: { summary: 'make a filter from records', load: () => import('./build.ts') },
  digest: { summary: 'hash records, for filters that are built later', load: () => import('./digest.ts') },
  query: { summary: 'print the records that may be in a filter', load: () => import('./query.ts') },
  dedup: { summary: 'print each record the first time it is seen', load: () => import('./dedup.ts') },
  count: { summary: 'how many distinct records there are', load: () => import('./count.ts') },
  add: { summary: 'add records to a filter in place', load: () => import('./add.ts') },
  remove: { summary: 'take records out of a filter in place', load: () => import('./remove.ts') },
  merge: { summary: 'make the union of filters', load: () => import('./merge.ts') },
  stats: {
    summary: 'what a filter holds, how full it is and how often it errs',
    load: () => import('./stats.ts'),
  },
  formats: {
    summary: 'the files of other systems that are taken, and what can be done with them',
    load: () => import('./formats.ts'),
  },
  completion: {
    summary: 'a script that completes command lines in bash, zsh or fish',
    load: () => import('./completion.ts'),
  },
};
