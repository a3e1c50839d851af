import { isUtf8 } from 'node:buffer';
import { type Command, CommanderError } from 'commander';
import { EXIT, type ExitCode } from './commands/command.ts';
import { addCommand, createProgram, EXPLANATION } from './commands/program.ts';
import { COMMANDS } from './commands/registry.ts';
import { asBloomError, BloomError, ClosedPipe, printable } from './errors.ts';
import { print, tell } from './io/sink.ts';
import { commandLine } from './io/system.ts';
import { outputWidth } from './io/terminal.ts';
import { shortHelp } from './options/help.ts';
import type { ColourSetting } from './terminal/colour.ts';
import { fold } from './terminal/help-text.ts';
import { messenger } from './terminal/messages.ts';

const DEFAULT_WIDTH = 80;

/** Runs a command line and returns the exit status. Errors are printed on the standard error. */
export async function runCommandLine(argv: readonly string[]): Promise<ExitCode> {
  try {
    return await runProgram(argv);
  } catch (error) {
    if (error instanceof ClosedPipe) return error.isLoss ? EXIT.failure : EXIT.success;
    const shown = await shownError(error, argv);
    (await messenger(colourSetting(argv))).error(shown);
    return shown.code === 'changed' ? EXIT.changed : EXIT.failure;
  }
}

/** Prints an uncaught error at once, because nothing runs after it. Returns the exit status. */
export function tellLost(error: unknown): ExitCode {
  const { message, hint } = asBloomError(error);
  tell(`bloom: ${message}${hint === undefined ? '' : `; ${hint}`}`);
  return EXIT.failure;
}

/** The error as the user sees it. */
async function shownError(error: unknown, argv: readonly string[]): Promise<BloomError> {
  if (error instanceof BloomError || error instanceof CommanderError) {
    const { explained } = await import('./mistakes/explained.ts');
    return explained(error, argv);
  }
  return asBloomError(error);
}

async function runProgram(argv: readonly string[]): Promise<ExitCode> {
  refuseUndecodable(argv);
  let status: ExitCode = EXIT.success;
  const program = createProgram();
  const finish = (code: ExitCode) => {
    status = code;
  };
  // `bloom help NAME` shows the flags too.
  const width = (await outputWidth()) ?? DEFAULT_WIDTH;
  const topic = await topicFor(argv);
  if (topic !== undefined) {
    print(fold(topic, width));
    return EXIT.success;
  }
  for (const name of commandsFor(argv)) await addCommand(program, name, argv.includes(name) ? finish : undefined);
  for (const command of [program, ...program.commands]) quieten(command, width);
  try {
    await program.parseAsync(requested(argv), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.success;
    if (!(error instanceof CommanderError && error.code === 'commander.help')) throw error;
    // The command is missing. The status must show this to a script.
    tell(fold(shortHelp(program, EXPLANATION), width).trimEnd());
    return EXIT.failure;
  }
  return status;
}

/**
 * The commands to create: the first word if it is a command, and none for the version. All commands are needed if
 * another command may be meant, or for their list.
 */
function commandsFor([first = '']: readonly string[]) {
  if (first === '--version' || first === '-V') return [];
  return Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS);
}

/** The text for `bloom help TOPIC`. */
async function topicFor([first, topic = '']: readonly string[]): Promise<string | undefined> {
  if (first !== 'help' || Object.hasOwn(COMMANDS, topic)) return undefined;
  const { topicText } = await import('./commands/topics.ts');
  return topicText(topic);
}

/**
 * The command line to parse. `help` is removed before an unknown command, so that the error suggests similar commands.
 */
function requested([first, name, ...rest]: readonly string[]): string[] {
  const isMistaken = first === 'help' && name !== undefined && !Object.hasOwn(COMMANDS, name);
  return [first, name, ...rest].filter((argument) => argument !== undefined).slice(isMistaken ? 1 : 0);
}

/** Node decodes arguments as UTF-8 and loses other bytes. Keys are bytes, so this would change them. */
function refuseUndecodable(argv: readonly string[]): void {
  const suspect = argv.find((argument) => argument.includes(UNDECODABLE));
  if (suspect === undefined) return;
  const bytes = commandLine();
  if (bytes !== undefined && isUtf8(bytes)) return;
  throw new BloomError(
    'usage',
    `the argument ${printable(suspect)} is not UTF-8`,
    'pass such keys on standard input, and rename such files',
  );
}

/** The replacement for bytes that are not UTF-8. A user may also type this character. */
const UNDECODABLE = '\uFFFD';

/**
 * Makes commander throw errors instead of printing them, and print through bloom's own writer. process.stdout is never
 * used.
 */
function quieten(command: Command, width: number): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => print(fold(text, width)),
    writeErr: () => {},
    // `fold` wraps all lines when they are printed.
    getOutHelpWidth: () => Number.POSITIVE_INFINITY,
    getErrHelpWidth: () => Number.POSITIVE_INFINITY,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
}

/** The value of --color, available even if the parsing fails. */
function colourSetting(argv: readonly string[]): ColourSetting | undefined {
  const settings = argv.flatMap((argument, i) => {
    if (argument === '--no-color') return ['never'];
    return argument === '--color' ? (argv[i + 1] ?? []) : (/^--color=(.*)$/.exec(argument)?.[1] ?? []);
  });
  const value = settings.at(-1);
  return value === 'always' || value === 'never' ? value : undefined;
}
