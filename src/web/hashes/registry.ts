import type { OwnHashName } from '../../hashes/registry.ts';
import { farm64 } from './farm64.ts';
import { murmur3 } from './murmur3.ts';
import { xxh3 } from './xxh3.ts';
import { xxh64 } from './xxh64.ts';

/** The hashes of bloomery's own filters. */
export const WEB_HASHES: Readonly<Record<OwnHashName, (key: Uint8Array, seed: bigint) => bigint>> = {
  xxh64,
  xxh3,
  murmur3,
  farm64,
};
