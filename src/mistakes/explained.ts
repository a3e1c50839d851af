import { CommanderError } from 'commander';
import { tryLine, withUrlsShown } from '../commands/shell-line.ts';
import { BloomError, printable } from '../errors.ts';
import { stepAfterCommand } from './commands.ts';
import { stepAfterFile } from './files.ts';
import { stepAfterFlag, stepAfterMissingValue } from './flags.ts';
import { dividedLine, type MistakenLine, withReplaced } from './line.ts';
import { stepAfterMissingOperand, stepAfterOperands, stepAfterOutput } from './operands.ts';
import { stepAfterValue } from './values.ts';

type Step = string | undefined;

/** What to type next, by the code of commander's error. `what` is its message. */
const STEPS: Readonly<Record<string, (what: string, line: MistakenLine) => Step | Promise<Step>>> = {
  'commander.unknownCommand': stepAfterCommand,
  'commander.unknownOption': stepAfterFlag,
  'commander.invalidArgument': stepAfterValue,
  'commander.optionMissingArgument': stepAfterMissingValue,
  'commander.missingMandatoryOptionValue': stepAfterOutput,
  'commander.excessArguments': stepAfterOperands,
  'commander.missingArgument': stepAfterMissingOperand,
};

/** An error with what to type next, if the command line shows what was meant. */
export async function explained(error: CommanderError | BloomError, argv: readonly string[]): Promise<BloomError> {
  const line = await dividedLine(argv);
  const isUsage = error instanceof CommanderError;
  const { code, message, hint } = isUsage ? await usageError(error, line) : error;
  const step = (isUsage ? undefined : await stepAfterFile(error, line)) ?? hint;
  return new BloomError(code, withUrlsShown(message, argv), step && withUrlsShown(step, argv));
}

/**
 * An error of commander as a BloomError. Its message is "error: WHAT", sometimes with "(Did you mean X?)" on a second
 * line.
 */
async function usageError({ code, message }: CommanderError, line: MistakenLine): Promise<BloomError> {
  const [what = '', suggestion = ''] = message.replace(/^error: /, '').split('\n');
  const help = `see bloom ${line.command === undefined ? '' : `${line.command} `}--help`;
  return new BloomError(
    'usage',
    printable(what.replace(/\.$/, '').replace(/ is invalid\. (?=[a-z])/, ' is invalid: ')),
    (await STEPS[code]?.(what, line)) ?? stepAfterTypo(what, suggestion, line) ?? help,
  );
}

/** The command line with the name that commander suggests instead of an unknown one. */
function stepAfterTypo(what: string, suggestion: string, { argv }: MistakenLine): Step {
  const [, name] = /^\(Did you mean ([^ ]+)\?\)$/.exec(suggestion) ?? [];
  const [, quoted = ''] = /'(.*)'/.exec(what) ?? [];
  const [wrong = ''] = quoted.split('=');
  if (name === undefined) return suggestion === '' ? undefined : printable(suggestion.replace(/^\(D(.*)\)$/, 'd$1'));
  return tryLine(withReplaced(argv, wrong, name));
}
