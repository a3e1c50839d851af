// The commands of the indexed job, without Kubernetes.

import { expect, test } from 'vitest';
import { IS_LONG } from '../../long.ts';
import { blocksOf, pageScratch } from './page.ts';
import { urlsIn } from './urls.ts';

const expectUrls = urlsIn(pageScratch());

test.runIf(IS_LONG)('Kubernetes: the commands for all indices, and the union', () => {
  const [job = ''] = blocksOf('Kubernetes', 'yaml');
  const [union = ''] = blocksOf('Kubernetes', 'sh');
  const [, command = ''] = job.match(/args:\n +- (.*)\n/) ?? [];
  const [, completions = ''] = job.match(/completions: (\d+)\n/) ?? [];
  expect(Number(completions)).toBeGreaterThan(1);
  const indices = Array.from({ length: Number(completions) }, (_, i) => `JOB_COMPLETION_INDEX=${i}\n${command}`);
  const [, name = ''] = job.match(/name: RUN, value: (\S+) /) ?? [];
  expectUrls(`export JOB_COMPLETION_INDEX RUN=${name}\nrm -rf ${name}\n${indices.join('\n')}\n${union}`);
});
