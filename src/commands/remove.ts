import type { Command } from 'commander';
import { removeKeys } from '../engine/fill.ts';
import { surveyContent } from '../engine/survey.ts';
import { BloomError } from '../errors.ts';
import { requireUse } from '../filters/registry.ts';
import { withMoreKeys } from '../formats/description.ts';
import { print } from '../io/sink.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addKeyInputFlags } from '../options/selection.ts';
import { agreeing, count, plural } from '../quantities.ts';
import { messenger } from '../terminal/messages.ts';
import { EXIT, type ExitCode, secondsSince } from './command.ts';
import { type ChangeFlags, type ChangeOptions, changeInPlace, parseChange } from './in-place.ts';
import { unreadKeys } from './inputs.ts';
import {
  describeContent,
  describeElsewhere,
  describeSkipped,
  describeSpeed,
  keylessWarning,
} from './report/content.ts';
import { filterJson } from './report/json.ts';
import { jsonLine } from './report/json-line.ts';

export const explanation: Explanation = {
  most: ['--field', '--delimiter', '--comment', '--null', '--force', '--json', '--quiet'],
  notes: `If any of the records is not in the filter, nothing is removed. Remove only records that were added: if a non-member seems to be in
the filter, removing it removes another key.
The file of the filter is replaced in one step. If anything fails, it stays unchanged.`,
  examples: [
    ['bloom remove sessions.bloom ended.txt'],
    ["grep ' logout ' app.log | bloom remove sessions.bloom -f 3", 'the key is the third field'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<filter>', 'filter to change in place')
    .argument('[file...]', 'records to remove, one per line (default: standard input)')
    .addOption(flags.key('remove'))
    .addOption(flags.hashed())
    .addOption(flags.forceChange());
  addKeyInputFlags(command)
    .addOption(flags.json())
    .addOption(flags.reportNothing())
    .action(async (filter: string, files: string[]) =>
      finish(await run(parseChange(filter, files, command.opts<ChangeFlags>()))),
    );
}

async function run(options: ChangeOptions): Promise<ExitCode> {
  const start = process.uptime();
  const say = await messenger(options.colour, options.isQuiet);
  const { name, changed, fill, watch } = await changeInPlace(options, say, {
    label: 'removing',
    check: ({ kind }, filter) => requireUse(kind, 'remove', filter),
    async work(reading, threads, loaded) {
      const { description: before, segments } = loaded;
      if (segments === undefined) throw new Error(`${loaded.name} has no segments`);
      const { contents, removed, absent, skipped, elsewhere } = await removeKeys(before, segments, reading, threads);
      const description = withMoreKeys(before, before.shape, -removed);
      return { contents, removed, absent, skipped, elsewhere, keys: reading.selection.keys, description };
    },
    judge({ absent, removed, description }, _, filter) {
      const missing = Math.max(absent, -(description.inserted ?? 0));
      if (missing > 0) {
        throw new BloomError(
          'mismatch',
          `${filter} was left as it was: ${plural(missing, 'key')} of ${count(removed + absent)} ${agreeing(missing, 'is')} not in it, or not as often`,
          'remove only keys that were added; bloom query -v prints the absent ones',
        );
      }
    },
  });
  const { description, removed, elsewhere } = changed;
  if (watch.failures > 0) say.warning(`${name} still has ${unreadKeys(watch)}`);
  const content = surveyContent(description, fill);
  const seconds = secondsSince(start);
  const keyless = keylessWarning(removed + elsewhere, changed);
  if (keyless !== undefined) say.warning(keyless);
  say.note(
    `${name}: removed ${plural(removed, 'key')}${describeElsewhere(elsewhere)}; now ${describeContent(description, content)}${describeSkipped(changed)}; ${describeSpeed(removed + elsewhere, seconds)}`,
  );
  if (options.json) {
    const filter = filterJson(options.filter, description, content);
    print(jsonLine({ ...filter, removed, skipped: changed.skipped, seconds }));
  }
  return watch.failures === 0 ? EXIT.success : EXIT.failure;
}
