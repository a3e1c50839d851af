// Notes every thread that a command starts, as one byte in the file that THREADS_LOG names.

const { appendFileSync } = require('node:fs');

process.on('worker', () => appendFileSync(process.env.THREADS_LOG, '.'));
