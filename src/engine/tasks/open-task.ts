import type { Task, TaskSpec } from './task.ts';
import { openTest } from './test-keys.ts';
import type { ThreadContext } from './thread-context.ts';

/** Opens a task for a thread. The code of a task is loaded first, except for queries, which must start fast. */
export async function openTask(context: ThreadContext, spec: TaskSpec): Promise<Task> {
  switch (spec.type) {
    case 'survey':
      return (await import('./survey-keys.ts')).openSurvey(context, spec);
    case 'add':
      return (await import('./add-keys.ts')).openAdd(context, spec);
    case 'remove':
      return (await import('./remove-keys.ts')).openRemove(context, spec);
    case 'seal':
      return (await import('./add-keys.ts')).openSeal(context, spec);
    case 'countProtected':
      return (await import('./protect-keys.ts')).openCountProtected(context, spec);
    case 'screen':
      return (await import('./protect-keys.ts')).openScreen(context, spec);
    case 'protect':
      return (await import('./protect-keys.ts')).openProtect(context, spec);
    case 'digests':
      return (await import('./write-digests.ts')).openWriteDigests(context, spec);
    case 'mark':
      return (await import('./mark-records.ts')).openMark(context, spec);
    case 'count':
      return (await import('./count-keys.ts')).openCount(context, spec);
    case 'sign':
      return (await import('./sign-files.ts')).openSign(context, spec);
    case 'dedup':
      return (await import('./dedup-keys.ts')).openDedup(context, spec);
    case 'test':
      return openTest(context, spec);
  }
}
