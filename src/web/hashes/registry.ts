import type { WebPart } from '../filter.ts';
import { farm64 } from './farm64.ts';
import { murmur3 } from './murmur3.ts';
import { xxh3 } from './xxh3.ts';

/** Looks up keys in filters of the hashes besides the default one. */
export const hashes: WebPart = { hashes: { xxh3, murmur3, farm64 } };
