import { openAdd } from './add-keys.ts';
import { openAddToArrays } from './add-to-arrays.ts';
import { openCount } from './count-keys.ts';
import { openFinalize } from './finalize-drafts.ts';
import { openRemove } from './remove-keys.ts';
import { openSurvey } from './survey-keys.ts';
import type { Task, TaskSpec, ThreadContext } from './task.ts';
import { openTest } from './test-keys.ts';
import { openWriteDigests } from './write-digests.ts';

/** Sets a thread to a task. */
export function openTask(context: ThreadContext, spec: TaskSpec): Task {
  switch (spec.type) {
    case 'survey':
      return openSurvey(context, spec);
    case 'add':
      return openAdd(context, spec);
    case 'add to arrays':
      return openAddToArrays(context, spec);
    case 'remove':
      return openRemove(context, spec);
    case 'finalize':
      return openFinalize(context, spec);
    case 'digests':
      return openWriteDigests(context, spec);
    case 'count':
      return openCount(context, spec);
    case 'test':
      return openTest(context, spec);
  }
}
