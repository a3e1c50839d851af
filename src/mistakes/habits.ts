// What is typed by habit of grep and uniq, where there are no such flags.

interface Habit {
  readonly command: string;
  readonly flags: readonly string[];
  /** What to do in its place. */
  readonly step: string;
}

const HABITS: readonly Habit[] = [
  {
    command: 'query',
    flags: ['-E', '-G', '-P', '--extended-regexp', '--basic-regexp', '--perl-regexp'],
    step: 'leave it out: keys are no patterns, and compared byte for byte',
  },
  {
    command: 'query',
    flags: ['-x', '--line-regexp'],
    step: 'leave it out: a record is compared whole, or the field that -f names',
  },
  { command: 'query', flags: ['-w', '--word-regexp'], step: 'did you mean --tokens words?' },
  {
    command: 'query',
    flags: ['-A', '-B', '-C', '--after-context', '--before-context', '--context'],
    step: 'leave it out: only records that are selected are printed, with -n their numbers',
  },
  { command: 'query', flags: ['--no-filename'], step: 'leave it out: names of files are printed with -H only' },
  {
    command: 'dedup',
    flags: ['-u', '--unique'],
    step: 'leave it out: each key is printed once; which never come again only the end tells: sort | uniq -u',
  },
  { command: 'dedup', flags: ['-w', '--check-chars'], step: 'a key is a whole record, or the fields that -f names' },
  {
    command: 'dedup',
    flags: ['--any-token', '--tokens'],
    step: 'a record is known or new by one key: name its fields with -f, which are one key together',
  },
];

/** What to do in the place of a flag, which may have its value behind it, as in -C3. */
export function stepAfterHabit(flag: string, command: string): string | undefined {
  const name = flag.startsWith('--') ? flag : flag.slice(0, 2);
  return HABITS.find((habit) => habit.command === command && habit.flags.includes(name))?.step;
}
