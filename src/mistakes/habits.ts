// Flags that people type by habit of grep, sort and uniq, and that bloom does not have.

import { tryLine } from '../commands/shell-line.ts';
import { type MistakenLine, withKeys, withReplaced } from './line.ts';

interface Habit {
  /** Undefined for all commands in which a record may have several keys. */
  readonly command?: string;
  readonly flags: readonly string[];
  /** What to do instead. The word "use" precedes a flag with the same effect. */
  readonly step: string;
}

const HABITS: readonly Habit[] = [
  {
    command: 'query',
    flags: ['-E', '-G', '-P', '--extended-regexp', '--basic-regexp', '--perl-regexp'],
    step: 'leave it out: keys are not patterns, they are compared byte by byte',
  },
  {
    command: 'query',
    flags: ['-x', '--line-regexp'],
    step: 'leave it out: a whole record is compared, or the field that -f names',
  },
  { flags: ['--any-token'], step: 'use --field 1-' },
  { command: 'query', flags: ['-w', '--word-regexp'], step: 'use --tokens=words' },
  {
    command: 'query',
    flags: ['-A', '-B', '-C', '--after-context', '--before-context', '--context'],
    step: 'leave it out: only selected records are printed; -n prints their numbers',
  },
  {
    command: 'query',
    flags: ['-g', '--glob', '--include'],
    step: 'leave it out, and name the files of records after the filter',
  },
  { command: 'query', flags: ['--no-filename'], step: 'leave it out: file names are printed only with -H' },
  { command: 'stats', flags: ['-v', '--verbose'], step: 'leave it out: stats prints all that it knows' },
  { command: 'dedup', flags: ['-k'], step: 'use --field' },
  {
    command: 'dedup',
    flags: ['-u', '--unique'],
    step: 'leave it out: dedup prints each key once; to print only keys that never repeat, use sort | uniq -u',
  },
  {
    command: 'dedup',
    flags: ['-w', '--check-chars'],
    step: 'the key is the whole record, or the fields that -f names',
  },
  {
    command: 'dedup',
    flags: ['--any-token', '--tokens'],
    step: 'a record has one key here; several fields of -f together are one key',
  },
];

/** What to do instead of a flag. */
export function stepAfterHabit(flag: string, { command, argv, operands, known }: MistakenLine): string | undefined {
  const step = HABITS.find(({ command: of, flags }) => {
    const isFor = of === undefined ? known.has('--field') && known.has('--tokens') : of === command;
    return isFor && flags.includes(flag);
  })?.step;
  const [, other] = /^use (--\S+(?: \S+)?)$/.exec(step ?? '') ?? [];
  if (other === undefined) return step;
  // Flags about records have no effect on keys.
  const withoutFlag = argv.filter((argument) => argument !== flag);
  const ofKeys = command === 'query' ? withKeys(withoutFlag, operands) : undefined;
  const words = other.split(' ');
  return tryLine(ofKeys ?? withReplaced(argv, flag, other).flatMap((word) => (word === other ? words : [word])));
}
