import type { Command } from 'commander';
import { addToFilter } from '../engine/add.ts';
import { surveyContent } from '../engine/survey.ts';
import { threadsWithin } from '../engine/thread-memory.ts';
import { BloomError } from '../errors.ts';
import type { Fill } from '../filters/kind.ts';
import { requireUse } from '../filters/registry.ts';
import { type Description, expectedOf, withLengths, withMoreKeys } from '../formats/description.ts';
import { print } from '../io/sink.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { addOpeningFlags } from '../options/opening.ts';
import { addKeyInputFlags } from '../options/selection.ts';
import { plural } from '../quantities.ts';
import { messenger } from '../terminal/messages.ts';
import { EXIT, type ExitCode, secondsSince } from './command.ts';
import { type ChangeFlags, type ChangeOptions, changeInPlace, parseChange } from './in-place.ts';
import { unreadKeys } from './inputs.ts';
import {
  describeContent,
  describeElsewhere,
  describeSkipped,
  describeSpeed,
  emptyNote,
  keylessWarning,
  overfullWarning,
} from './report/content.ts';
import { filterJson } from './report/json.ts';
import { jsonLine } from './report/json-line.ts';

interface AddFlags extends ChangeFlags {
  readonly strict?: true;
  readonly memory?: number;
}

export const explanation: Explanation = {
  most: ['--field', '--delimiter', '--comment', '--null', '--strict', '--json', '--quiet'],
  notes: 'The file of the filter is replaced in one step. If anything fails, it stays unchanged.',
  examples: [
    ['bloom add seen.bloom today.txt'],
    ['cut -f 1 new.tsv | bloom add --strict seen.bloom', 'fail beyond its capacity'],
  ],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command
    .argument('<filter>', 'filter to change in place')
    .argument('[file...]', 'records to add, one per line (default: standard input)')
    .addOption(flags.key('add'))
    .addOption(flags.strict())
    .addOption(flags.forceChange())
    .addOption(flags.memoryLimit());
  addOpeningFlags(addKeyInputFlags(command), 'change')
    .addOption(flags.keyType())
    .addOption(flags.json())
    .addOption(flags.reportNothing())
    .action(async (filter: string, files: string[]) => {
      const raw = command.opts<AddFlags>();
      const memory = raw.memory && raw.memory / 8;
      const options = parseChange(filter, files, raw);
      const threads = threadsWithin(options.threads, memory);
      finish(await run({ ...options, threads }, raw.strict === true, memory));
    });
}

async function run(options: ChangeOptions, isStrict: boolean, memory: number | undefined): Promise<ExitCode> {
  const start = process.uptime();
  const say = await messenger(options.colour, options.isQuiet);
  const overfullOf = (description: Description, fill: readonly Fill[], name: string) =>
    overfullWarning(name, description, surveyContent(description, fill));

  const { name, changed, fill, watch } = await changeInPlace(options, say, {
    label: 'adding',
    check: ({ kind }, filter) => requireUse(kind, 'add', filter),
    async work(reading, threads, loaded) {
      const filled = await addToFilter(loaded, reading, threads, memory);
      const { contents, shape, inserted, skipped, empty, elsewhere, lengths } = filled;
      const more = withMoreKeys(loaded.description, shape, inserted);
      const description = contents.described(withLengths(more, lengths));
      return { contents, inserted, skipped, empty, elsewhere, keys: reading.selection.keys, description };
    },
    judge({ description }, filled, filter) {
      const overfull = overfullOf(description, filled, filter);
      if (overfull !== undefined && isStrict)
        throw new BloomError('capacity', `${filter} was left as it was: ${overfull.message}`, overfull.hint);
    },
  });

  const { description, inserted, elsewhere } = changed;
  const overfull = overfullOf(description, fill, name);
  if (overfull !== undefined) say.warning(`${overfull.message}; ${overfull.hint}`);
  if (watch.failures > 0) say.warning(`${name} lacks ${unreadKeys(watch)}`);
  const content = surveyContent(description, fill);
  const seconds = secondsSince(start);
  const skipped = { ...changed, expected: expectedOf(description) };
  const keyless = keylessWarning(inserted + elsewhere, skipped);
  if (keyless !== undefined) say.warning(keyless);
  if (changed.empty > 0) say.note(emptyNote(changed.empty));
  say.note(
    `${name}: added ${plural(inserted, 'key')}${describeElsewhere(elsewhere)}; now ${describeContent(description, content)}${describeSkipped(skipped)}; ${describeSpeed(inserted + elsewhere, seconds)}`,
  );
  if (options.json) {
    const filter = filterJson(options.filter, description, content);
    print(jsonLine({ ...filter, added: inserted, skipped: changed.skipped, seconds }));
  }
  return watch.failures === 0 ? EXIT.success : EXIT.failure;
}
