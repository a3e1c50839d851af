// Slurm with a controller and one node, which this test starts.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { blocksOf, pageScratch, testedWith } from './page.ts';
import { freePort } from './port.ts';
import { urlsIn } from './urls.ts';

const folder = pageScratch();
const { path, run } = folder;
const expectUrls = urlsIn(folder);

async function settings(): Promise<string[]> {
  const [name = ''] = hostname().split('.');
  return [
    'ClusterName=test',
    `SlurmctldHost=${name}(127.0.0.1)`,
    `SlurmctldPort=${await freePort()}`,
    `SlurmdPort=${await freePort()}`,
    `SlurmUser=${userInfo().username}`,
    `SlurmdUser=${userInfo().username}`,
    'AuthType=auth/none',
    'CredType=cred/none',
    `StateSaveLocation=${path('state')}`,
    `SlurmdSpoolDir=${path('spool')}`,
    `SlurmctldPidFile=${path('slurmctld.pid')}`,
    `SlurmdPidFile=${path('slurmd.pid')}`,
    'ProctrackType=proctrack/pgid',
    'TaskPlugin=task/none',
    'MpiDefault=none',
    'SelectType=select/cons_tres',
    'SelectTypeParameters=CR_Core',
    'SchedulerParameters=batch_sched_delay=0,sched_min_interval=0',
    `NodeName=${name} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN`,
    'PartitionName=main Nodes=ALL Default=YES State=UP',
  ];
}

async function close(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null) return;
  daemon.kill();
  await once(daemon, 'close');
}

testedWith(
  'slurmctld',
  'slurmd',
  'sbatch',
)('Slurm, an array of jobs', async () => {
  for (const name of ['state', 'spool']) mkdirSync(path(name));
  writeFileSync(path('slurm.conf'), (await settings()).map((line) => `${line}\n`).join(''));
  const [array = ''] = blocksOf('Slurm', 'bash');
  const [commands = ''] = blocksOf('Slurm', 'sh');
  writeFileSync(path('urls.sbatch'), array);
  const configured = `export SLURM_CONF='${path('slurm.conf')}'`;
  const daemons = ['slurmctld', 'slurmd'].map((name) =>
    spawn(name, ['-D', '-f', path('slurm.conf')], { stdio: 'ignore' }),
  );
  try {
    run(`${configured}; until sinfo --noheader --format %t | grep -q idle; do sleep 0.1; done`);
    expectUrls(`${configured}\n${commands}`, true);
  } finally {
    for (const daemon of daemons) await close(daemon);
  }
});
