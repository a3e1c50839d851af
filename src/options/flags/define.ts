// How flags are made: what help, completions and manual pages say of one, and how it reads its value, follows from its definition.

import { InvalidArgumentError, Option } from 'commander';
import { BloomError } from '../../errors.ts';
import { Unreadable } from '../numbers.ts';

/** What flags are about, in the order in which a help has them. */
export const GROUPS = ['Answers', 'Measurements', 'Size', 'Filter', 'Keys', 'Inputs', 'Output', 'General'] as const;
type Group = (typeof GROUPS)[number];

/**
 * A flag in its group. Nothing else makes one, so that there is none without a group. In `<file>` and `<filter>` its value is the name of
 * a file, in other brackets something else.
 */
export interface Flag extends Option {
  helpGroupHeading: string;
  /** What its value may be, if these are all. */
  readonly words: readonly string[];
  /** Whether all of its values count. */
  isRepeatable: boolean;
  /** Sentences for the manual, behind the line of the help. */
  details: string;
}

/** Reads a value; throws `Unreadable` for what is none. */
type Parse = (text: string) => unknown;

/**
 * Makes the flags of a group. `names` are the names of the flag and of its value, as in `-o, --output <file>`. `description` is the line of
 * the help: an imperative phrase of at most 60 characters.
 */
export interface FlagMaker {
  /** A flag without a value. */
  plain(names: string, description: string): Flag;
  /** Another name of a flag without a value, as other programs have it; no help shows it. */
  alias(names: string, of: string): Flag;
  /** The negated name of a flag, such as --no-color, which gives it this value; no help shows it. */
  negated(names: string, value: string): Flag;
  /** A flag whose value is a text. */
  text(names: string, description: string): Flag;
  /** A flag whose value follows one of the grammars. */
  valued(names: string, description: string, parse: Parse): Flag;
  /** A flag whose value is one of these words, which the help lists. */
  chosen(names: string, description: string, words: readonly string[]): Flag;
  /** A flag whose value is one of more words than the help lists. */
  named(names: string, description: string, words: readonly string[]): Flag;
  /** A flag that may be repeated, each of whose values `parse` reads. */
  repeated(names: string, description: string, parse: Parse): Flag;
  /** A flag that may be repeated, each of whose values is `all` or one of these words. */
  repeatedNames(names: string, description: string, words: readonly string[]): Flag;
  /** A flag that changes no result, and stands in aliases: the last one holds. */
  replaceable(names: string, description: string, parse: Parse): Flag;
  /** The same for one of these words, which the help lists. */
  replaceableChoice(names: string, description: string, words: readonly string[]): Flag;
}

/** The names are too many for a message. */
const UNKNOWN_FORMAT = 'bloom formats lists the names';

/** What makes the flags of a group. */
export function flagsOf(group: Group): FlagMaker {
  const make = (names: string, description: string, words: readonly string[] = []): Flag =>
    Object.assign(new Option(names, description), {
      helpGroupHeading: `${group}:`,
      words,
      isRepeatable: false,
      details: '',
    });
  return {
    plain: make,
    alias: (names, of) =>
      make(names, 'as other programs call it')
        .hideHelp()
        .implies({ [of]: true }),
    negated: (names, value) => make(names, 'as other programs call it').hideHelp().preset(value),
    text: (names, description) => single(make(names, description), asIs),
    valued: (names, description, parse) => single(make(names, description), following(parse)),
    chosen(names, description, words) {
      const flag = make(names, description, words).choices(words);
      const { parseArg: parse = asIs } = flag;
      return single(flag, (text) => parse<unknown>(text, undefined));
    },
    named: (names, description, words) =>
      single(make(names, description, words), following(oneOf(words, UNKNOWN_FORMAT))),
    repeated: (names, description, parse) => repeated(make(names, description), parse),
    repeatedNames: (names, description, words) =>
      repeated(
        make(names, description, ['all', ...words]),
        oneOf(words, `expected all or one of: ${words.join(', ')}`, 'all'),
      ),
    replaceable: (names, description, parse) => make(names, description).argParser(following(parse)),
    replaceableChoice: (names, description, words) => make(names, description, words).choices(words),
  };
}

/** The same flag with sentences that only the manual has. */
export function detailed(flag: Flag, details: string): Flag {
  flag.details = details;
  return flag;
}

const asIs = (text: string) => text;

/** A flag with one value, which `parse` reads. If it is given twice, neither is taken for what was meant. */
function single(flag: Flag, parse: Parse): Flag {
  return flag.argParser((text, earlier) => {
    if (earlier !== undefined) throw new BloomError('usage', `${flag.long} is given twice`, 'drop one of them');
    return parse(text);
  });
}

function repeated(flag: Flag, parse: Parse): Flag {
  flag.isRepeatable = true;
  return flag.argParser((text, earlier: readonly unknown[] = []) => [...earlier, following(parse)(text)]);
}

/** A grammar whose errors are commander's. */
function following(parse: Parse): Parse {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof Unreadable) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}

/** One of some words, or the word for all of them. */
function oneOf(words: readonly string[], expected: string, all?: string): Parse {
  return (text) => {
    if (text === all || words.includes(text)) return text;
    throw new Unreadable(expected);
  };
}
