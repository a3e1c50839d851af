import { expect } from 'vitest';
import { blocksOf, pageScratch, testedWith } from './page.ts';
import { startDaemon } from './sshd.ts';
import { urlsIn } from './urls.ts';

const folder = pageScratch();
const { path, install, programs } = folder;
const expectUrls = urlsIn(folder);

const [here = '', ...elsewhere] = blocksOf('GNU parallel', 'sh');

testedWith('parallel')('parallel, on this machine', () => expectUrls(here));

testedWith(
  'parallel',
  'ssh',
  'sshd',
)('parallel, on others', async () => {
  expect(elsewhere.length).toBe(2);
  const daemon = await startDaemon(path('ssh'), ['node1', 'node2'], programs());
  try {
    install('ssh', [`PATH='${process.env.PATH}' exec ssh -F '${daemon.config}' "$@"`]);
    for (const commands of elsewhere) expectUrls(commands, true);
  } finally {
    await daemon.close();
  }
});
