// A thread of a pool. The first thread dies: DIES_AT says when, DIES_BY how.

const { parentPort, workerData } = require('node:worker_threads');

const WAYS = {
  exit: () => process.exit(0),
  throw: () => {
    throw new Error('an error that nobody caught');
  },
};
const isDoomed = workerData.threadIndex === 1;
const die = () => WAYS[process.env.DIES_BY]();

if (isDoomed && process.env.DIES_AT === 'start') die();
let scans = 0;
if (isDoomed) {
  // This runs before the thread's own listener.
  parentPort.on('message', ({ type }) => {
    if (type === 'scan') scans++;
    // On a busy machine the other thread may leave fewer than three scans for this one.
    const isDue = process.env.DIES_AT === 'scan' ? scans === 3 || type === 'finish' : type === process.env.DIES_AT;
    if (isDue) die();
  });
}
require('../../dist/js/start-worker.cjs');
