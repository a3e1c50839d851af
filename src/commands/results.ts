import type { OpenOutput } from '../engine/tasks/task.ts';
import { BloomError } from '../errors.ts';
import { checkOutput, type Output, writeOutput } from '../io/atomic-file.ts';
import { lookAt } from '../io/look.ts';
import type { Messenger } from '../terminal/messages.ts';
import { displayOutput } from './outputs.ts';

/**
 * Lets some work write its results into a file, or to the standard output without a file. The file gets its name in one step, once the
 * results are complete. `inputs` are the files that are read. Throws the errors of `checkOutput` and `writeOutput`.
 */
export async function intoFile<R>(
  output: Output | undefined,
  inputs: readonly string[],
  say: Messenger,
  work: (into: OpenOutput | undefined) => Promise<R>,
  isWhole: (result: R) => boolean,
): Promise<R> {
  if (output === undefined) return work(undefined);
  const remarks = await checkOutput(output, inputs);
  let result: Promise<R> | undefined;
  await writeOutput(output, async (_, fd) => {
    result = work({ fd, name: displayOutput(output.name) });
    if (!isWhole(await result)) throw incomplete(output.name);
  });
  for (const remark of remarks) say.warning(remark);
  if (result === undefined) throw new Error('nothing was written');
  return result;
}

function incomplete(file: string): BloomError {
  const name = displayOutput(file);
  const fate = lookAt(file) === undefined ? `${name} was not written` : `${name} was not changed`;
  return new BloomError('input', `${fate}: something could not be read (see above)`, 'fix it or leave it out');
}
