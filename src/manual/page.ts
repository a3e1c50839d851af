import type { DescribedArgument, DescribedCommand, DescribedFlag } from '../options/described.ts';
import type { Example, Explanation } from '../options/explanation.ts';
import { withWords } from '../options/help.ts';
import { bold, display, filled, italic, literal, paragraphs, section, subsection, tagged } from './roff.ts';

/** Of which release pages are, and of which day, as in 2026-11-22. */
export interface Edition {
  readonly version: string;
  readonly date: string;
}

/** What stands on a page. */
export interface PageContent {
  /** What the page is of, its own name first, such as bloom-query; and the names of all pages. */
  readonly names: readonly [string, ...string[]];
  readonly pages: readonly string[];
  /** The command as it is typed. */
  readonly typed: string;
  readonly command: DescribedCommand;
  readonly explanation: Explanation;
  /** Sections between the flags and the examples, as lines of source. */
  readonly more: readonly string[];
}

/** The source of a page. */
export function pageOf({ names, pages, typed, command, explanation, more }: PageContent, edition: Edition): string {
  const { notes = '', lists = [], examples } = explanation;
  const [page] = names;
  const lines = [
    `.TH ${literal(page.toUpperCase())} 1 ${edition.date} "bloomery ${edition.version}" "bloomery"`,
    // Names of flags and files are not broken.
    '.nh',
    '.ad l',
    section('Name'),
    ...filled(`${literal(names.join(', '))} \\- ${literal(command.summary)}`),
    section('Synopsis'),
    `${bold(typed)} [${italic('flag')} ...]${command.args.map(argumentInLine).join('')}`,
    section('Description'),
    ...paragraphs(notes),
    ...command.args.flatMap(({ value, description }) => tagged(italic(value.name), description)),
    section('Flags'),
    ...command.groups.flatMap(({ heading, flags }) => [subsection(heading), ...flags.flatMap(flagLines)]),
    ...lists.flatMap(({ title, items }) => [
      section(title.replace(/(,| \(| of ).*/, '')),
      ...paragraphs(`${title}:`),
      ...items.flatMap(({ name, purpose }) => tagged(bold(name), purpose)),
    ]),
    ...more,
    section('Examples'),
    ...examples.flatMap(exampleLines),
    section('See also'),
    ...filled(
      pages
        .filter((name) => name !== page)
        .map((name) => `${bold(name)}(1)`)
        .join(', '),
    ),
  ];
  return `${lines.filter((line, i) => line !== '.PP' || !/^\.S[HS] /.test(lines[i - 1] ?? '')).join('\n')}\n`;
}

function argumentInLine({ value, isRequired, isVariadic }: DescribedArgument): string {
  const shown = `${italic(value.name)}${isVariadic ? ' ...' : ''}`;
  return ` ${isRequired ? shown : `[${shown}]`}`;
}

/** A flag with all words that it may have, also where the help does not list them. */
function flagLines({ names, value, description }: DescribedFlag): string[] {
  const shown = names.map(bold).join(', ');
  return tagged(value === undefined ? shown : `${shown} ${italic(value.name)}`, withWords(description, value?.words));
}

function exampleLines([line, purpose]: Example): string[] {
  return [...(purpose === undefined ? [] : paragraphs(`${purpose}:`)), ...display([line])];
}
