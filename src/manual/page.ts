import type { DescribedArgument, DescribedCommand, DescribedFlag } from '../options/described.ts';
import type { Example, Explanation } from '../options/explanation.ts';
import { withWords } from '../options/help.ts';
import { bold, display, filled, italic, literal, paragraphs, section, subsection, tagged } from './roff.ts';

/** The release of the pages, and their day, such as 2026-11-22. */
export interface Edition {
  readonly version: string;
  readonly date: string;
}

/** The content of a page. */
export interface PageContent {
  /** The name of the page, such as bloom-query, and its other names; then the names of all pages. */
  readonly names: readonly [string, ...string[]];
  readonly pages: readonly string[];
  /** The command as the user types it. */
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
    ...head(page, 1, edition),
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
  return sourceOf(lines);
}

/** The lines up to the name of a page. */
function head(name: string, chapter: number, { version, date }: Edition): string[] {
  // Names of flags and files must not be broken.
  return [
    `.TH ${literal(name.toUpperCase())} ${chapter} ${date} "bloomery ${version}" "bloomery"`,
    '.nh',
    '.ad l',
    section('Name'),
  ];
}

/** The lines as a source. A paragraph after a heading needs no .PP. */
function sourceOf(lines: readonly string[]): string {
  return `${lines.filter((line, i) => line !== '.PP' || !/^\.S[HS] /.test(lines[i - 1] ?? '')).join('\n')}\n`;
}

/** The source of a page about a document, such as a format. */
export function pageOfDocument(name: string, purpose: string, lines: readonly string[], edition: Edition): string {
  return sourceOf([...head(name, 5, edition), ...filled(`${literal(name)} \\- ${literal(purpose)}`), ...lines]);
}

function argumentInLine({ value, isRequired, isVariadic }: DescribedArgument): string {
  const shown = `${italic(value.name)}${isVariadic ? ' ...' : ''}`;
  return ` ${isRequired ? shown : `[${shown}]`}`;
}

/** A flag with its details and all words of its value, even if the help does not list them. */
function flagLines({ names, value, description, details }: DescribedFlag): string[] {
  const shown = names.map(bold).join(', ');
  const said = withWords(description, value?.words);
  return tagged(
    value === undefined ? shown : `${shown} ${italic(value.name)}`,
    details === '' ? said : `${said}. ${details}`,
  );
}

function exampleLines([line, purpose]: Example): string[] {
  return [...(purpose === undefined ? [] : paragraphs(`${purpose}:`)), ...display([line])];
}
