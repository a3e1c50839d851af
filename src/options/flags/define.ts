// How flags are made. Help, completions, manual pages and parsing follow from the definition of a flag.

import { InvalidArgumentError, Option } from 'commander';
import { BloomError } from '../../errors.ts';
import { Unreadable } from '../numbers.ts';

/** The groups of flags in the order of the help. */
export const GROUPS = ['Answers', 'Measurements', 'Size', 'Filter', 'Keys', 'Inputs', 'Output', 'General'] as const;
type Group = (typeof GROUPS)[number];

/**
 * A flag in its group. Only `flagsOf` makes flags, so every flag has a group. A value in `<file>` or `<filter>` is a
 * file name; in other brackets it is something else.
 */
export interface Flag extends Option {
  helpGroupHeading: string;
  /** The possible values, if they can be listed. */
  readonly words: readonly string[];
  /** Whether all of its values count. */
  isRepeatable: boolean;
  /** Sentences for the manual, after the line of the help. */
  details: string;
}

/** Reads a value. Throws `Unreadable` for an invalid value. */
type Parse = (text: string) => unknown;

/**
 * Makes the flags of a group. `names` has the names of the flag and of its value, such as `-o, --output <file>`.
 * `description` is the line of the help: an imperative phrase of at most 60 characters.
 */
export interface FlagMaker {
  /** A flag without a value. */
  plain(names: string, description: string): Flag;
  /** Another name of a flag without a value, as in other programs. The help does not show it. */
  alias(names: string, of: string): Flag;
  /** The negated name of a flag, such as --no-color, which sets this value. The help does not show it. */
  negated(names: string, value: string): Flag;
  /** A flag without a value that sets a property which other flags set too. A text as its value is not replaced. */
  setting(names: string, description: string, property: string, value: string | true): Flag;
  /** A flag whose value is a text. */
  text(names: string, description: string): Flag;
  /** A flag whose value has one of the grammars. */
  valued(names: string, description: string, parse: Parse): Flag;
  /** A flag whose value is one of these words. The help lists them. */
  chosen(names: string, description: string, words: readonly string[]): Flag;
  /** A flag whose value is one of many words. The help does not list them. */
  named(names: string, description: string, words: readonly string[]): Flag;
  /** A flag that may be repeated. `parse` reads each of its values. */
  repeated(names: string, description: string, parse: Parse): Flag;
  /** A flag that may be repeated. Each value is `all` or one of these words. */
  repeatedNames(names: string, description: string, words: readonly string[]): Flag;
  /** A flag that changes no result and may occur in aliases. The last value counts. */
  replaceable(names: string, description: string, parse: Parse): Flag;
  /** The same for one of these words. The help lists them. */
  replaceableChoice(names: string, description: string, words: readonly string[]): Flag;
}

/** There are too many names for a message. */
const UNKNOWN_FORMAT = 'bloom formats lists the names';

/** Makes the flags of a group. */
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
    setting(names, description, property, value) {
      const flag = make(names, description).preset(value);
      flag.argParser((given, earlier) => (typeof earlier === 'string' ? earlier : given));
      return Object.assign(flag, { attributeName: () => property });
    },
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

/** The same flag with sentences for the manual. */
export function detailed(flag: Flag, details: string): Flag {
  flag.details = details;
  return flag;
}

const asIs = (text: string) => text;

/** A flag with one value, which `parse` reads. Giving it twice is an error. */
function single(flag: Flag, parse: Parse): Flag {
  return flag.argParser((text, earlier) => {
    if (earlier !== undefined) throw new BloomError('usage', `${flag.long} is given twice`, 'leave out one of them');
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
