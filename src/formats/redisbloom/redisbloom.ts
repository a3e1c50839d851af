import { redisBloomSizing } from '../../sizing/systems/redisbloom.ts';
import type { Making } from '../array-blueprint.ts';
import type { Format } from '../format.ts';
import { BYTES } from '../key-types.ts';
import { COMMANDS, type ContainerName, DUMP, SELECT } from './containers.ts';
import { isHeader } from './header-layouts.ts';

/**
 * A filter of BF.*: the commands that restore it, or the output of DUMP, or the header of BF.SCANDUMP followed by all
 * bits. A filter that has grown is a chain of arrays, and each has its own number of bits and hash functions.
 */
export const redisBloom: Format = {
  name: 'redisbloom',
  system: 'RedisBloom',
  purpose: 'Redis servers with RedisBloom',
  signatures: [COMMANDS, SELECT, DUMP],
  fits: isHeader,
  abilities: ['query', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: 'the checksum matches',
  open: async (source) => (await import('./file.ts')).open(source, redisBloom),
  makings: [
    making('redisbloom', true, 'commands', 'commands for redis-cli --pipe that restore the key bloom; it grows'),
    making('redisbloom-nonscaling', false, 'commands', 'the same with NONSCALING; it does not grow'),
    making('redisbloom-raw', true, 'raw', 'the header and all chunks of BF.SCANDUMP'),
    making('redisbloom-dump', true, 'dumped', 'the output of DUMP, for redis-cli -x RESTORE bloom 0'),
  ],
};

function making(name: string, isScaling: boolean, container: ContainerName, purpose: string): Making {
  return {
    name,
    purpose,
    sizing: redisBloomSizing(name, isScaling, container),
    blueprint: async (plan) => (await import('./file.ts')).newBlueprint(plan, redisBloom, isScaling, container),
  };
}
