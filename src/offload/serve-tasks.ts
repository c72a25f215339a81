/** The code of a pool's thread: does one task after the other. It runs in a bundle of its own, see scripts/build-threads.mjs. */
import { parentPort } from 'node:worker_threads';
import type { Task } from './task.ts';
import type { TaskMessage, TaskReply } from './thread-messages.ts';

/** Any task; its input is checked where the task is asked for, by the types of {@link Task}. */
export type AnyTask = Task<never, unknown>;

/** @param tasks all that may be asked for */
export function serveTasks(tasks: readonly AnyTask[]): void {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  parentPort?.on('message', ({ name, input }: TaskMessage) => {
    const task = byName.get(name);
    parentPort?.postMessage(task === undefined ? failed(`there is no task ${name}`) : replyOf(task, input));
  });
}

function replyOf(task: AnyTask, input: unknown): TaskReply {
  try {
    // the input is the one that the caller of Offload.run gave for this very task
    return { kind: 'done', value: Reflect.apply(task.run, undefined, [input]) };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(detail: string): TaskReply {
  return { kind: 'failed', detail };
}
