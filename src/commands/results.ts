import type { OpenOutput } from '../engine/tasks/task.ts';
import { BloomError } from '../errors.ts';
import { checkOutput, type Output, writeOutput } from '../io/atomic-file.ts';
import { lookAt } from '../io/look.ts';
import type { Messenger } from '../terminal/messages.ts';
import { EXIT, type ExitCode } from './command.ts';
import { displayOutput } from './outputs.ts';

/**
 * Lets some work write its results into a file, which gets its name in one step if the work does not fail. `inputs` are the files that are
 * read. Throws the errors of `checkOutput` and `writeOutput`.
 */
export async function intoFile(
  output: Output,
  inputs: readonly string[],
  say: Messenger,
  work: (into: OpenOutput) => Promise<ExitCode>,
): Promise<ExitCode> {
  const remarks = await checkOutput(output, inputs);
  let status: ExitCode = EXIT.success;
  await writeOutput(output, async (_, fd) => {
    status = await work({ fd, name: displayOutput(output.name) });
    if (status === EXIT.failure) throw incomplete(output.name);
  });
  for (const remark of remarks) say.warning(remark);
  return status;
}

function incomplete(file: string): BloomError {
  const name = displayOutput(file);
  const fate = lookAt(file) === undefined ? `${name} was not written` : `${name} was not changed`;
  return new BloomError('input', `${fate}: something could not be read (see above)`, 'fix it or leave it out');
}
