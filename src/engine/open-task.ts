import { openAsk } from './ask.ts';
import { openFill } from './fill.ts';
import { openRemove } from './remove.ts';
import { openSeal } from './seal.ts';
import { openSurvey } from './survey.ts';
import type { Station, Task, TaskSpec } from './task.ts';

/** Sets a thread to a task. */
export function openTask(station: Station, spec: TaskSpec): Task {
  switch (spec.type) {
    case 'survey':
      return openSurvey(station, spec);
    case 'fill':
      return openFill(station, spec);
    case 'remove':
      return openRemove(station, spec);
    case 'seal':
      return openSeal(station, spec);
    case 'ask':
      return openAsk(station, spec);
  }
}
