import { tryLine } from '../commands/shell-line.ts';
import { lookAt } from '../io/look.ts';
import { stepBeforeCommand } from './commands.ts';
import { stepAfterHabit } from './habits.ts';
import { commandsWith, type MistakenLine, withReplaced } from './line.ts';
import { flagMeant } from './names.ts';

/** Flags that name inputs in other programs. Here inputs are arguments. */
const INPUT_FLAGS = ['--input', '--file', '--in', '--from', '--records'];

/** Flags of build that the filter records. */
const RECORDED_FLAGS = [
  '-i',
  '--ignore-case',
  '--ignore-case-unicode',
  '--trim',
  '--hash',
  '--seed',
  '--kind',
  '-n',
  '--items',
  '-p',
  '--fpr',
];

/** Flags for the default behaviour. */
const DEFAULT_FLAGS = ['--no-clobber', '--no-overwrite'];

/** Flags with which other programs read folders. */
const RECURSIVE_FLAGS = ['-r', '-R', '--recursive'];

/** Flags of the program without a command. */
const VERSION_FLAGS = ['-V', '--version'];

/** The flag for the case of all letters, which is not a value of --ignore-case. */
const UNICODE_CASE = '--ignore-case-unicode';

/** What to type instead of `--ignore-case unicode`, which names an input. */
export function stepAfterCase({ argv }: MistakenLine): string | undefined {
  const at = argv.findIndex((flag, i) => ['-i', '--ignore-case'].includes(flag) && argv[i + 1] === 'unicode');
  return at < 0 ? undefined : tryLine(argv.toSpliced(at, 2, UNICODE_CASE));
}

/** A command line with --force instead of -f, which replaces files in other programs. Here it selects fields, if a command has them. */
export function stepWithForce(flag: string, { argv, known }: MistakenLine): string | undefined {
  return flag === '-f' && known.has('--force') ? tryLine(withReplaced(argv, flag, '--force')) : undefined;
}

/** What to type if a flag lacks its value. Commander quotes the flag. */
export function stepAfterMissingValue(what: string, line: MistakenLine): string | undefined {
  const [, flag = ''] = /^option '(-.)/.exec(what) ?? [];
  return stepWithForce(flag, line);
}

/**
 * What to do if a flag without a value has taken the next flag as its value, so that the value of that flag was read as a file, or `invalid` is that
 * flag. A key may be written like a flag.
 */
export function stepAfterTakenFlag({ argv, known }: MistakenLine, invalid?: string): string | undefined {
  const at = argv.findIndex((flag, i) => {
    const [taken = '', left = ''] = argv.slice(i + 1);
    if (!known.get(flag) || !known.get(taken) || ['-e', '--key'].includes(flag)) return false;
    return taken === invalid || lookAt(left) === undefined;
  });
  return at < 0 ? undefined : stepWithValue(argv[at] ?? '', argv[at + 1] ?? '');
}

/** What to do about a flag that has taken another one as its value. */
export function stepWithValue(flag: string, taken: string): string {
  return `give ${flag} a value: it took ${taken} as its value`;
}

/** What to type instead of a flag that does not exist. Commander quotes the flag. */
export async function stepAfterFlag(what: string, line: MistakenLine): Promise<string | undefined> {
  const { command, argv, known } = line;
  if (command === undefined) return stepBeforeCommand(line);
  const [, quoted = ''] = /'(.*)'/.exec(what) ?? [];
  const flag = nameIn(quoted);
  if (VERSION_FLAGS.includes(flag)) return tryLine(['--version']);
  if (RECORDED_FLAGS.includes(flag) && ['query', 'add', 'remove', 'stats', 'merge'].includes(command))
    return 'leave it out: the filter records it';
  if (DEFAULT_FLAGS.includes(flag)) return 'leave it out: an existing file is replaced only with --force';
  if (RECURSIVE_FLAGS.includes(flag) && known.has('--files0-from'))
    return `name the files of a folder: find FOLDER -type f -print0 | bloom ${command} ... --files0-from -`;
  if (quoted === '--ignore-case=unicode') return tryLine(argv.map((one) => (one === quoted ? UNICODE_CASE : one)));
  if (INPUT_FLAGS.includes(flag)) return tryLine(argv.flatMap((argument) => withoutName(argument, flag)));
  const habit = stepAfterHabit(flag, line) ?? stepWithForce(flag, line);
  if (habit !== undefined) return habit;
  const meant = flagMeant(flag, [...known.keys()]);
  if (meant !== undefined) return tryLine(withReplaced(argv, flag, meant));
  const owners = flag.startsWith('--') ? await commandsWith(flag) : [];
  return owners.length === 0 ? undefined : `leave it out: it is a flag of ${owners.join(', ')}`;
}

/** The name of a flag without an attached value, as in --name=value and -nvalue. */
function nameIn(argument: string): string {
  return argument.startsWith('--') ? (argument.split('=')[0] ?? '') : argument.slice(0, 2);
}

/** An argument without the name of a flag: only its value stays. */
function withoutName(argument: string, flag: string): string[] {
  if (argument === flag) return [];
  return [argument.startsWith(`${flag}=`) ? argument.slice(flag.length + 1) : argument];
}
