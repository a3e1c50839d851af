// A thread of a crew, of which the first one dies: DIES_AT says when it does, DIES_BY how.

const { parentPort, workerData } = require('node:worker_threads');

const WAYS = {
  exit: () => process.exit(0),
  throw: () => {
    throw new Error('an error that nobody caught');
  },
};
const isDoomed = workerData.seat === 1;
const die = () => WAYS[process.env.DIES_BY]();

if (isDoomed && process.env.DIES_AT === 'start') die();
let scans = 0;
if (isDoomed) {
  // Before the message reaches the thread's own listener.
  parentPort.on('message', ({ type }) => {
    if (type === 'scan') scans++;
    if (type === process.env.DIES_AT && (type !== 'scan' || scans === 3)) die();
  });
}
require('../../dist/js/worker.cjs');
