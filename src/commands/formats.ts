import type { Command } from 'commander';
import { KEY_TYPES } from '../formats/key-types.ts';
import type { FormatAbility } from '../formats/mark.ts';
import { KNOWN_FORMATS, REFUSED_FORMATS } from '../formats/registry.ts';
import { STDOUT } from '../io/descriptors.ts';
import { print } from '../io/sink.ts';
import { outputWidth } from '../io/terminal.ts';
import type { Explanation } from '../options/explanation.ts';
import { flags } from '../options/flags.ts';
import { purposes } from '../options/purposes.ts';
import { palette } from '../terminal/colour.ts';
import { fold } from '../terminal/help-text.ts';
import { type Column, table } from '../terminal/table.ts';
import { type CommonFlags, EXIT, type ExitCode } from './command.ts';
import { jsonLine } from './report/json-line.ts';

interface FormatsFlags extends CommonFlags {
  readonly json?: true;
}

/** The names of the abilities: the commands that use them. */
const ABILITIES: Readonly<Record<FormatAbility, string>> = {
  query: 'query',
  report: 'stats',
  build: 'build',
  change: 'add',
  merge: 'merge',
};

export const explanation: Explanation = {
  most: ['--json'],
  notes:
    'bloom detects the format of most files by their content. If it cannot, --format states a name of the first column, or a variant.',
  examples: [['bloom formats'], ["bloom formats --json | jq -r 'select(.merge) | .format'", 'what can be merged']],
};

export function define(command: Command, finish: (code: ExitCode) => void): void {
  command.addOption(flags.json()).action(async () => finish(await run(command.opts<FormatsFlags>())));
}

async function run({ json, color }: FormatsFlags): Promise<ExitCode> {
  if (json) for (const format of listed()) print(jsonLine(format));
  else print(await formatsText(color));
  return EXIT.success;
}

/** Every format as an object for JSON. */
function listed() {
  const known = KNOWN_FORMATS.map(
    ({ name, system, purpose, abilities, keyTypes, variants = [], makings = [], limits = [] }) => ({
      format: name,
      system,
      madeBy: purpose,
      ...ofAbilities((ability) => abilities.includes(ability)),
      keyTypes: Object.keys(keyTypes),
      variants: variants.map(({ name, purpose }) => ({ name, purpose })),
      makes: makings.map(({ name, purpose }) => ({ name, purpose })),
      limits,
    }),
  );
  const refused = REFUSED_FORMATS.map(({ system, purpose }) => ({
    format: null,
    system,
    madeBy: purpose,
    ...ofAbilities(() => false),
    keyTypes: [],
    variants: [],
    makes: [],
    limits: [],
  }));
  return [...known, ...refused];
}

function ofAbilities(isAble: (ability: FormatAbility) => boolean): Record<string, boolean> {
  const all = Object.keys(ABILITIES) as FormatAbility[];
  return Object.fromEntries(all.map((ability) => [ABILITIES[ability], isAble(ability)]));
}

const KEY_TYPES_LISTED = Object.entries(KEY_TYPES).map(([name, purpose]) => ({ name, purpose }));

async function formatsText(colour: CommonFlags['color']): Promise<string> {
  const columns: Column[] = [
    { title: 'format', align: 'left' },
    { title: 'system', align: 'left', spare: 3 },
    ...Object.values(ABILITIES).map((title): Column => ({ title, align: 'left' })),
    { title: 'variants', align: 'left', spare: 1 },
    { title: 'keys', align: 'left', spare: 2 },
  ];
  const rows = KNOWN_FORMATS.map(({ name, system, abilities, keyTypes, variants = [], makings = [] }) => [
    name,
    system,
    ...Object.values(ofAbilities((ability) => abilities.includes(ability))).map((isAble) => (isAble ? 'yes' : '-')),
    [...new Set([...variants, ...makings].map((variant) => variant.name))]
      .filter((variant) => variant !== name)
      .join(', '),
    Object.keys(keyTypes).join(', '),
  ]);
  const width = (await outputWidth()) ?? Number.POSITIVE_INFINITY;
  const limits = KNOWN_FORMATS.flatMap(({ name, limits = [] }) => limits.map((purpose) => ({ name, purpose })));
  const refused = REFUSED_FORMATS.map(({ system }) => system).join(', ');
  const notes = [
    ...(limits.length > 0 ? [`Limits:\n${purposes(limits)}`] : []),
    `Detected, but not supported: ${refused}`,
    `Key types for --key-type:\n${purposes(KEY_TYPES_LISTED)}`,
  ];
  const rest = `\n${notes.join('\n\n')}\n`;
  return (await table(columns, rows, await palette(STDOUT, colour), width)) + fold(rest, width);
}
