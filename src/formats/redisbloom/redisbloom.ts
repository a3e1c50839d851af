import { redisBloomSizing } from '../../sizing/systems/redisbloom.ts';
import type { Making } from '../array-blueprint.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { COMMANDS, type ContainerName, DUMP, SELECT } from './containers.ts';
import { isHeader } from './header-layouts.ts';

/**
 * A filter of BF.*: the commands that restore it, or what DUMP gives of it, or the header of BF.SCANDUMP and then all of its
 * bits. A filter that has grown is a chain of arrays, each with bits and probes of its own.
 */
export const redisBloom: Format = {
  name: 'redisbloom',
  system: 'RedisBloom',
  purpose: 'a server of Redis',
  signatures: [COMMANDS, SELECT, DUMP],
  fits: isHeader,
  abilities: ['ask', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: 'it matches its checksum',
  fileBytes: ({ bits }) => bits / 8,
  open: async (source) => (await import('./file.ts')).open(source, redisBloom),
  makings: [
    making(
      'redisbloom',
      true,
      'commands',
      'commands for redis-cli --pipe, which restore it as the key bloom; it grows',
    ),
    making('redisbloom-nonscaling', false, 'commands', 'the same, as BF.RESERVE makes it with NONSCALING'),
    making('redisbloom-raw', true, 'raw', 'the header of BF.SCANDUMP and all of its chunks'),
    making('redisbloom-dump', true, 'dumped', 'what DUMP gives, for redis-cli -x RESTORE bloom 0'),
  ],
};

function making(name: string, isScaling: boolean, container: ContainerName, purpose: string): Making {
  return {
    name,
    purpose,
    sizing: redisBloomSizing(name, isScaling),
    blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, redisBloom, isScaling, container),
  };
}
