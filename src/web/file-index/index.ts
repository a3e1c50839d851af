// What pages, workers and scripts of any engine import from 'bloomery/web/file-index'.

export { openIndex, type WebIndex, type WebIndexInfo } from './open-index.ts';
