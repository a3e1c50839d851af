import type { Command } from 'commander';
import { addToFilter } from '../engine/build-filter.ts';
import { BloomError } from '../errors.ts';
import type { Fill } from '../filters/kind.ts';
import { kindWithId, requireAbility } from '../filters/registry.ts';
import type { Header } from '../formats/bloomery/header.ts';
import { print } from '../io/sink.ts';
import { flags } from '../options/flags.ts';
import { addInputFlags } from '../options/selection.ts';
import { messenger } from '../terminal/messages.ts';
import { plural } from '../terminal/quantities.ts';
import { EXIT, type ExitCode, secondsSince } from './command.ts';
import { type ChangeFlags, changeInPlace } from './in-place.ts';
import { unreadKeys } from './inputs.ts';
import { describeContent, describeSkipped, describeSpeed, overfullWarning, surveyContent } from './report/content.ts';
import { filterJson, jsonLine } from './report/json.ts';

interface AddFlags extends ChangeFlags {
  readonly strict?: true;
  readonly json?: true;
}

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<filter>', 'filter to change in place')
    .argument('[file...]', "records to add, one a line; '-' or none: standard input")
    .addOption(flags.strict())
    .addOption(flags.forceChange());
  addInputFlags(command)
    .addOption(flags.json())
    .addHelpText(
      'after',
      '\nThe filter is replaced in one step: until then, and if anything fails, it is as it was.\n\nExample:\n  bloom add seen.bloom today.txt',
    )
    .action(async (filter: string, files: string[]) => finish(await run(filter, files, command.opts<AddFlags>())));
}

async function run(file: string, files: readonly string[], raw: AddFlags): Promise<ExitCode> {
  const start = process.uptime();
  const say = await messenger(raw.color);
  const overfullOf = (header: Header, fill: readonly Fill[], name: string) =>
    overfullWarning(name, header, surveyContent(kindWithId(header.kind, name), header, fill));

  const { name, changed, fill, watch } = await changeInPlace(file, files, raw, say, {
    label: 'adding',
    check: (header, filter) => requireAbility(kindWithId(header.kind, filter), 'add', filter),
    async work(request, loaded) {
      const { segments, shape, inserted, skipped } = await addToFilter(request, loaded);
      const capacity = request.kind.growing?.capacity(shape) ?? loaded.header.capacity;
      const header = { ...loaded.header, ...shape, capacity, inserted: loaded.header.inserted + inserted };
      return { segments, inserted, skipped, field: request.selection.field, header };
    },
    judge({ header }, filled, filter) {
      const overfull = overfullOf(header, filled, filter);
      if (overfull !== undefined && raw.strict)
        throw new BloomError('capacity', `${filter} was left as it was: ${overfull.message}`, overfull.hint);
    },
  });

  const { header, inserted } = changed;
  const overfull = overfullOf(header, fill, name);
  if (overfull !== undefined) say.warning(`${overfull.message}; ${overfull.hint}`);
  if (watch.failures > 0) say.warning(`${name} lacks ${unreadKeys(watch)}`);
  const kind = kindWithId(header.kind, name);
  const content = surveyContent(kind, header, fill);
  const seconds = secondsSince(start);
  say.note(
    `${name}: added ${plural(inserted, 'key')}; now ${describeContent(header, content)}${describeSkipped(changed)}; ${describeSpeed(inserted, seconds)}`,
  );
  if (raw.json) {
    const filter = filterJson(file, kind, header, content);
    print(jsonLine({ ...filter, added: inserted, skipped: changed.skipped, seconds }));
  }
  return watch.failures === 0 ? EXIT.success : EXIT.failure;
}
