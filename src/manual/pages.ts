// The manual: one page for the program, one per command, made from the help, and one for the names in JSON.

import { PROGRAM_NAMES } from '../commands/command.ts';
import { EXPLANATION, wholeProgram } from '../commands/program.ts';
import { COMMANDS } from '../commands/registry.ts';
import { describe } from '../options/described.ts';
import { manualPage } from '../options/help.ts';
import { fromMarkdown } from './markdown.ts';
import { type Edition, pageOf, pageOfDocument } from './page.ts';
import { bold, section, tagged } from './roff.ts';

/** The Markdown documents from which pages are made. */
export interface Documents {
  /** The reference, which describes all commands. */
  readonly reference: string;
  /** The names in JSON. */
  readonly json: string;
}

/** The headings of the reference that appear on the page of a command too. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  build: ['Keys', 'Inputs', 'Parts, passes and merges', 'Properties of kinds'],
  count: ['Distinct keys'],
  dedup: ['Deduplication'],
  digest: ['Inputs'],
  merge: ['Parts, passes and merges'],
  query: ['Queries', 'Several filters', 'Filters on servers', 'A filter that stays open'],
  stats: ['Monitoring'],
};

/** All pages, by the names of their files. The function loads all commands. */
export async function manual(edition: Edition, { reference, json }: Documents): Promise<ReadonlyMap<string, string>> {
  const program = await wholeProgram();
  const { commands } = program;
  const pages = [program, ...commands].map(manualPage);
  const more = [
    section('Commands'),
    ...commands.flatMap((command) => tagged(`${bold(manualPage(command))}(1)`, command.description())),
    ...fromMarkdown(reference, 'src/commands'),
  ];
  const ofProgram = { names: PROGRAM_NAMES, typed: `${program.name()} command`, explanation: EXPLANATION, more };
  const made = [pageOf({ ...ofProgram, pages, command: describe(program) }, edition)];
  for (const command of commands) {
    const module = await COMMANDS[command.name()]?.load();
    if (module === undefined) continue;
    const { lists = [], ...others } = module.explanation;
    const explanation = { ...others, lists: [...lists, ...(EXPLANATION.lists ?? [])] };
    const subjects = (SUBJECTS[command.name()] ?? []).map((subject) => subjectOf(reference, subject));
    const ofCommand = {
      names: [manualPage(command)] as const,
      typed: `${program.name()} ${command.name()}`,
      more: fromMarkdown(subjects.join(''), 'src/commands'),
    };
    made.push(pageOf({ ...ofCommand, pages, command: describe(command), explanation }, edition));
  }
  const [, ...sections] = fromMarkdown(json, 'src/commands');
  const ofJson = pageOfDocument('bloom-json', 'the names in the JSON that bloom prints', sections, edition);
  return new Map([...made.map((text, i) => [`${pages[i]}.1`, text] as const), ['bloom-json.5', ofJson]]);
}

/** The section of a document below a heading, with the heading. Throws if there is none. */
function subjectOf(document: string, heading: string): string {
  const subject = document.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
  if (subject === undefined) throw new Error(`no heading ${heading}`);
  return subject;
}
