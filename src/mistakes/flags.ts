import { stepBeforeCommand } from './commands.ts';
import { stepAfterHabit } from './habits.ts';
import { type MistakenLine, tryLine } from './line.ts';
import { flagMeant } from './names.ts';

/** Flags by which people name inputs, which need none. */
const INPUT_FLAGS = ['--input', '--file', '--in', '--from', '--records'];

/** Flags of the kinds that filters are built with: they say these themselves. */
const RECORDED_FLAGS = ['-i', '--ignore-case', '--trim', '--hash', '--seed', '--kind', '-n', '--items', '-p', '--fpr'];

/** Flags of what is done without asking. */
const DEFAULT_FLAGS = ['--no-clobber', '--no-overwrite'];

/** Flags by which other programs read folders. */
const RECURSIVE_FLAGS = ['-r', '-R', '--recursive'];

/** The flags of the program without a command. */
const VERSION_FLAGS = ['-V', '--version'];

/** The flags of keys on the command line, which only a query has. */
const KEY_FLAGS = ['-e', '--key'];

/** What to type in the place of a flag that there is not, which commander quotes. */
export function stepAfterFlag(what: string, line: MistakenLine): string | undefined {
  const { command, argv, known } = line;
  if (command === undefined) return stepBeforeCommand(line);
  const [, quoted = ''] = /'(.*)'/.exec(what) ?? [];
  const [flag = ''] = quoted.split('=');
  if (VERSION_FLAGS.includes(flag)) return tryLine(['--version']);
  if (KEY_FLAGS.includes(flag) && ['build', 'add', 'remove'].includes(command))
    return `records come from files or the standard input: echo KEY | bloom ${command} ...`;
  if (RECORDED_FLAGS.includes(flag) && ['query', 'add', 'remove', 'stats', 'merge'].includes(command))
    return 'leave it out: the filter says it, as it was built';
  if (DEFAULT_FLAGS.includes(flag)) return 'leave it out: what exists is not replaced without --force';
  if (RECURSIVE_FLAGS.includes(flag) && known.has('--files0-from'))
    return `name the files of a folder: find FOLDER -type f -print0 | bloom ${command} ... --files0-from -`;
  if (INPUT_FLAGS.includes(flag)) return tryLine(argv.flatMap((argument) => withoutName(argument, flag)));
  const step = stepAfterHabit(flag, command);
  if (step !== undefined) return step;
  const meant = flagMeant(flag, [...known.keys()]);
  return meant && `did you mean ${meant}?`;
}

/** An argument without the name of a flag, of which only the value is left. */
function withoutName(argument: string, flag: string): string[] {
  if (argument === flag) return [];
  return [argument.startsWith(`${flag}=`) ? argument.slice(flag.length + 1) : argument];
}
