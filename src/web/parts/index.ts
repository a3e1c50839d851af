// What programs import from 'bloomery/web/parts': what only some filters need.

export { hashes } from '../hashes/registry.ts';
export { domain } from './domains.ts';
export { keyHashes } from './key-hashes.ts';
export { letters } from './letters.ts';
export { network } from './networks.ts';
