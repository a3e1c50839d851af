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

/** Runs a command line and returns the exit status; what is wrong with it is told on the standard error. */
export async function runCommandLine(argv: readonly string[]): Promise<ExitCode> {
  try {
    return await runProgram(argv);
  } catch (error) {
    if (error instanceof ClosedPipe) return error.isLoss ? EXIT.failure : EXIT.success;
    const shown = await toldOf(error, argv);
    (await messenger(colourSetting(argv))).error(shown);
    return shown.code === 'changed' ? EXIT.changed : EXIT.failure;
  }
}

/** Prints an error that no code awaited, at once: nothing runs after it. Returns the exit status. */
export function tellLost(error: unknown): ExitCode {
  const { message, hint } = asBloomError(error);
  tell(`bloom: ${message}${hint === undefined ? '' : `; ${hint}`}`);
  return EXIT.failure;
}

/** What the user is told of an error. */
async function toldOf(error: unknown, argv: readonly string[]): Promise<BloomError> {
  if (error instanceof BloomError || error instanceof CommanderError) {
    const { told } = await import('./mistakes/told.ts');
    return told(error, argv);
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
  const width = (await outputWidth()) ?? statedWidth(process.env);
  const topic = await topicFor(argv);
  if (topic !== undefined) {
    print(fold(topic, width));
    return EXIT.success;
  }
  for (const name of commandsFor(argv)) await addCommand(program, name, argv.includes(name) ? finish : undefined);
  for (const command of [program, ...program.commands]) quieten(command, width);
  try {
    await program.parseAsync(askedFor(argv), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.success;
    if (!(error instanceof CommanderError && error.code === 'commander.help')) throw error;
    // There is no command. A script that meant one has to notice.
    tell(fold(shortHelp(program, EXPLANATION), width).trimEnd());
    return EXIT.failure;
  }
  return status;
}

/** The width of a help that goes to a file or pipe: COLUMNS, if the shell exports it. */
function statedWidth({ COLUMNS = '' }: NodeJS.ProcessEnv): number {
  return /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : DEFAULT_WIDTH;
}

/** The command that comes first, none for the version; all of them where another may be meant, or their list is asked for. */
function commandsFor([first = '']: readonly string[]) {
  if (first === '--version' || first === '-V') return [];
  return Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS);
}

/** The text that `bloom help TOPIC` asks for. */
async function topicFor([first, topic = '']: readonly string[]): Promise<string | undefined> {
  if (first !== 'help' || Object.hasOwn(COMMANDS, topic)) return undefined;
  const { topicText } = await import('./commands/topics.ts');
  return topicText(topic);
}

/** The command line; of `help` for a command that there is not, what says that there is none and which may be meant. */
function askedFor([first, name, ...rest]: readonly string[]): string[] {
  const isMistaken = first === 'help' && name !== undefined && !Object.hasOwn(COMMANDS, name);
  return [first, name, ...rest].filter((argument) => argument !== undefined).slice(isMistaken ? 1 : 0);
}

/** Node decodes arguments as UTF-8; what was not UTF-8 is lost, and keys are bytes. */
function refuseUndecodable(argv: readonly string[]): void {
  const suspect = argv.find((argument) => argument.includes(UNDECODABLE));
  if (suspect === undefined) return;
  const bytes = commandLine();
  if (bytes !== undefined && isUtf8(bytes)) return;
  throw new BloomError(
    'usage',
    `the argument ${printable(suspect)} is not UTF-8`,
    'give such keys on standard input, and such files under other names',
  );
}

/** What stands for bytes that are not UTF-8, but may also be meant. */
const UNDECODABLE = '\uFFFD';

/** Lets errors be thrown instead of printed, and output go through our own writer: process.stdout stays untouched. */
function quieten(command: Command, width: number): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => print(fold(text, width)),
    writeErr: () => {},
    // Lines are folded as they are written, those of our own texts too.
    getOutHelpWidth: () => Number.POSITIVE_INFINITY,
    getErrHelpWidth: () => Number.POSITIVE_INFINITY,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
}

/** The value of --color, also for errors that end the parsing. */
function colourSetting(argv: readonly string[]): ColourSetting | undefined {
  const settings = argv.flatMap((argument, i) => {
    if (argument === '--no-color') return ['never'];
    return argument === '--color' ? (argv[i + 1] ?? []) : (/^--color=(.*)$/.exec(argument)?.[1] ?? []);
  });
  const value = settings.at(-1);
  return value === 'always' || value === 'never' ? value : undefined;
}
