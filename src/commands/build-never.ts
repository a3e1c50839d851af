// The keys for which the answers of a filter are exact: `--never` and `--universe`.

import type { KeySelection } from '../engine/input/key-selection.ts';
import type { ProtectedInputs, Threads } from '../engine/reading.ts';
import type { Content } from '../engine/survey.ts';
import { DOMAINS, type KeyRules } from '../formats/description.ts';
import { HASHES } from '../hashes/registry.ts';
import { refuseUnused } from '../options/unused.ts';
import { agreeing, plural } from '../quantities.ts';
import { type DesignFlags, keyHashOf } from './design-flags.ts';
import type { Watch } from './watch.ts';

/** The flags about keys for which the answers are exact. */
export interface NeverFlags {
  readonly never?: readonly string[] | undefined;
  readonly universe?: readonly string[] | undefined;
  readonly neverWins?: true | undefined;
  readonly memberWins?: true | undefined;
}

/** The options about protected keys. */
export interface NeverOptions {
  readonly files: readonly string[];
  /** The list that a key in both lists leaves. Undefined if such a key is an error. */
  readonly drops: ProtectedInputs['drops'];
  /** The files have a universe, so a member among their keys is not a clash. */
  readonly isUniverse: boolean;
}

/** The options of these flags. Undefined if no flag is given. Throws a `usage` error for flags that contradict each other. */
export function neverOptionsOf(raw: NeverFlags): NeverOptions | undefined {
  const { never, universe, neverWins, memberWins } = raw;
  if (universe !== undefined) {
    refuseUnused(raw, ['never', 'neverWins', 'memberWins'], '--universe protects every key of it that is not added');
    return { files: universe, drops: 'protected', isUniverse: true };
  }
  if (never === undefined) refuseUnused(raw, ['neverWins', 'memberWins'], 'no keys are protected without --never');
  if (neverWins) refuseUnused(raw, ['memberWins'], '--never-wins leaves these keys out');
  const drops = neverWins ? 'members' : memberWins ? 'protected' : undefined;
  return never && { files: never, drops, isUniverse: false };
}

/** Counts the protected keys of some files. They have the rules of the filter, except for its hash. */
export async function protectedInputsOf(
  { files, drops }: NeverOptions,
  { ignoreCase, trim, suffixes, ...flags }: DesignFlags,
  selection: KeySelection,
  threads: Threads,
  watch: Watch,
): Promise<ProtectedInputs> {
  const normalised = { ignoreCase: ignoreCase ?? false, trim: trim === true, ...(suffixes && DOMAINS) };
  const rules: KeyRules = { hash: HASHES[0].name, seed: 0n, ...normalised, keyHash: keyHashOf(flags) };
  const { countProtected } = await import('../engine/protect.ts');
  watch.begin('counting protected keys');
  return countProtected({ inputs: files, selection, observer: watch }, rules, drops, threads).finally(watch.finish);
}

/** The note about keys that are in both lists, or about added keys outside the universe. Undefined if there are none. */
export function clashNote(
  clashes: number,
  { distinct }: Pick<Content, 'distinct'>,
  { drops, isUniverse }: NeverOptions,
): string | undefined {
  if (isUniverse) {
    const outside = distinct.count - clashes;
    const is = agreeing(outside, 'is');
    return outside === 0
      ? undefined
      : `${plural(outside, 'added key')} ${is} not in the universe, and ${is} in the filter all the same`;
  }
  if (clashes === 0) return undefined;
  return drops === 'members'
    ? `${plural(clashes, 'key')} ${agreeing(clashes, 'was')} left out of the filter, because --never protects ${agreeing(clashes, 'it')}`
    : `${plural(clashes, 'key')} of --never ${agreeing(clashes, 'is')} in the filter, because the input has ${agreeing(clashes, 'it')} too`;
}
