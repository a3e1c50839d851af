import type { Command } from 'commander';
import type { KeyType } from '../formats/key-types.ts';
import type { FormatAbility } from '../formats/mark.ts';
import type { Opening } from '../formats/opening.ts';
import { formatNames } from '../formats/registry.ts';
import type { KeyHash } from '../hashes/key-hashes.ts';
import type { HeaderSource } from './flags/filter.ts';
import { flags } from './flags.ts';

/** The flags that describe an existing filter. */
export interface OpeningFlags {
  readonly format?: string;
  readonly keyType?: KeyType;
  readonly keyHash?: KeyHash;
  readonly hashed?: true;
  readonly column?: string;
  readonly timeout?: number;
  readonly httpHeader?: readonly HeaderSource[];
}

/** The sentence of the manual about the key hash of a filter. */
const KNOWN_OFTEN = 'A filter of bloomery that was built with this flag needs it no more.';

/** Adds the flags of commands that open filters. */
export function addOpeningFlags(command: Command, ability: FormatAbility): Command {
  command.addOption(flags.format(formatNames(ability)));
  if (ability !== 'merge') command.addOption(flags.keyHash(KNOWN_OFTEN)).addOption(flags.hashed());
  if (ability !== 'query' && ability !== 'report') return command;
  return command.addOption(flags.column()).addOption(flags.timeout()).addOption(flags.httpHeader());
}

/** The opening that the flags state. */
export function openingOf({ format, column, keyType, keyHash, hashed, timeout }: OpeningFlags): Opening {
  return { format, column, keyType, keyHash, areHashed: hashed, timeout };
}
