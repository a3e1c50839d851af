import { CommanderError } from 'commander';
import { BloomError, printable } from '../errors.ts';
import { stepAfterCommand } from './commands.ts';
import { stepAfterFile } from './files.ts';
import { stepAfterFlag } from './flags.ts';
import { type MistakenLine, takenApart, withUrlsShown } from './line.ts';
import { stepAfterOperands, stepAfterOutput } from './operands.ts';
import { stepAfterValue } from './values.ts';

/** What to type next, by the code of commander's error; `what` is its message. */
const STEPS: Readonly<Record<string, (what: string, line: MistakenLine) => string | undefined>> = {
  'commander.unknownCommand': stepAfterCommand,
  'commander.unknownOption': stepAfterFlag,
  'commander.invalidArgument': stepAfterValue,
  'commander.missingMandatoryOptionValue': stepAfterOutput,
  'commander.excessArguments': stepAfterOperands,
};

/** What the user is told of an error: what is wrong, and what to type next where the command line tells what was meant. */
export async function told(error: CommanderError | BloomError, argv: readonly string[]): Promise<BloomError> {
  const line = await takenApart(argv);
  const isUsage = error instanceof CommanderError;
  const { code, message, hint } = isUsage ? usageError(error, line) : error;
  const step = (isUsage ? undefined : await stepAfterFile(error, line)) ?? hint;
  return new BloomError(code, withUrlsShown(message, argv), step && withUrlsShown(step, argv));
}

/** A commander error in our own form: its message is "error: WHAT" and perhaps "(Did you mean X?)" on a second line. */
function usageError({ code, message }: CommanderError, line: MistakenLine): BloomError {
  const [what = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const help = `see bloom ${line.command === undefined ? '' : `${line.command} `}--help`;
  return new BloomError(
    'usage',
    printable(what.replace(/\.$/, '').replace(/ is invalid\. (?=[a-z])/, ' is invalid: ')),
    STEPS[code]?.(what, line) ?? printable(suggestion?.replace(/^\(D(.*)\)$/, 'd$1') ?? help),
  );
}
