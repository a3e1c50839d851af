// Hadoop streaming in one process.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe } from 'vitest';
import { IS_LONG } from '../../long.ts';
import { STREAMING_JARS } from '../../systems/engines.ts';
import { testedBy } from '../../systems/notice.ts';
import { blocksOf, pageScratch } from './page.ts';
import { urlsIn } from './urls.ts';

const folder = pageScratch();
const { path, install } = folder;
const expectUrls = urlsIn(folder);

const [commands = ''] = blocksOf('Hadoop streaming', 'sh');

describe.runIf(IS_LONG)('in long runs', () => {
  testedBy('streaming')('Hadoop streaming', () => {
    mkdirSync(path('urls'));
    const urls = readFileSync(path('urls.txt'), 'utf8').split(/(?<=\n)/);
    for (const part of [0, 1, 2]) writeFileSync(path(`urls/${part}`), urls.filter((_, i) => i % 3 === part).join(''));
    mkdirSync(path('settings'));
    writeFileSync(path('settings/core-site.xml'), '<configuration/>');
    const java = `java -XX:TieredStopAtLevel=1 -cp '${path('settings')}:${STREAMING_JARS}/*'`;
    install('hadoop', [
      'case $1 in',
      `jar) shift 2; exec ${java} org.apache.hadoop.streaming.HadoopStreaming "$@" 2>&1;;`,
      `fs) shift; exec ${java} org.apache.hadoop.fs.FsShell "$@";;`,
      'esac',
    ]);
    expectUrls(commands);
  });
});
