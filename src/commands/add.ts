import type { Command } from 'commander';
import { buildWithShape } from '../engine/build.ts';
import { type Crew, withCrew } from '../engine/crew.ts';
import { loadFilter, sharedPart } from '../engine/filter-file.ts';
import { callFor } from '../engine/pass.ts';
import { BloomError } from '../errors.ts';
import { kindWithId } from '../filters/registry.ts';
import type { Header } from '../format/header.ts';
import { writeFilter } from '../format/writer.ts';
import { checkOutput } from '../io/atomic-file.ts';
import { lookAt, stateOf } from '../io/look.ts';
import { displayName } from '../io/source.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { flags } from '../options/flags.ts';
import { addSelectionFlags, parseSelection, type SelectionFlags, threadsOf } from '../options/selection.ts';
import { messenger } from '../terminal/messages.ts';
import { plural } from '../terminal/quantities.ts';
import { type CommonFlags, EXIT, type ExitCode } from './command.ts';
import { inputsOf, watchInputs } from './inputs.ts';
import { suppliedBy } from './outputs.ts';
import { describeContent, describeSpeed, overfullWarning, surveyContent } from './report/content.ts';

interface AddFlags extends SelectionFlags, CommonFlags {
  readonly strict?: true;
}

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<filter>', 'filter to change in place')
    .argument('[file...]', "records to add, one a line; '-' or none: standard input")
    .addOption(flags.strict());
  addSelectionFlags(command)
    .addHelpText(
      'after',
      '\nThe filter is replaced in one step: until then, and if anything fails, it is as it was.\n\nExample:\n  bloom add seen.bloom today.txt',
    )
    .action(async (filter: string, files: string[]) => {
      const raw = command.opts<AddFlags>();
      finish(await withCrew(threadsOf(raw), (crew) => run(filter, files, raw, crew)));
    });
}

async function run(file: string, files: readonly string[], raw: AddFlags, crew: Crew): Promise<ExitCode> {
  const start = process.uptime();
  const say = await messenger(raw.color);
  const inputs = inputsOf(files);
  const output = { name: file, replace: true, unchangedSince: stateOf(file) };
  const selection = parseSelection(raw);
  if (file === '-')
    throw new BloomError('usage', 'a filter on standard input cannot be changed in place', 'name a file');
  if (lookAt(file)?.isFile() === false) {
    throw new BloomError(
      'usage',
      `${displayName(file)} is not a regular file, and cannot be changed in place`,
      'name a file',
    );
  }
  await checkOutput(output, inputs, '');
  callFor(crew, inputs);
  const kernel = loadKernel();
  const loaded = await loadFilter(kernel, file, crew.seats);
  const { name, header: before } = loaded;
  const kind = kindWithId(before.kind, name);

  const watch = watchInputs('adding', say);
  const result = await buildWithShape(
    { station: { kernel, seat: 0 }, crew, kind, inputs, selection, rules: before, observer: watch },
    before,
    sharedPart(loaded),
  ).finally(watch.finish);
  const unread = watch.failures;
  const header: Header = { ...before, inserted: before.inserted + result.inserted };
  const fill = result.segments.fills();
  loaded.close();
  const content = surveyContent(kind, header, fill);
  const overfull = overfullWarning(name, header, content);
  if (overfull !== undefined && raw.strict)
    throw new BloomError('capacity', `${name} was left as it was: ${overfull.message}`, overfull.hint);
  await writeFilter(output, kernel, header, suppliedBy(result.segments, fill));

  if (overfull !== undefined) say.warning(`${overfull.message}; ${overfull.hint}`);
  if (unread > 0) say.warning(`${name} lacks the keys of ${plural(unread, 'input')} that could not be read`);
  say.note(
    `${name}: added ${plural(result.inserted, 'key')}; now ${describeContent(header, content)}; ${describeSpeed(result.inserted, process.uptime() - start)}`,
  );
  return unread === 0 ? EXIT.success : EXIT.failure;
}
