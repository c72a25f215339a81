/**
 * Runs tasks over texts that come from pages: tasks over small texts at once, in the caller's thread, all others in threads of
 * their own, so that no text keeps the main loop from its work.
 */
import { kibibytes, type Bytes } from '../base/units.ts';
import type { Task, TaskEnd } from './task.ts';

/**
 * Bytes or characters up to which a text is read in the caller's thread. The slowest parsers take about 0.1 ms for a KiB of the worst
 * input: 6 ms for this much, and most pages are smaller than that.
 */
export const SMALL_TEXT: Bytes = kibibytes(64);

/** The text that a task reads. */
export interface TaskText {
  /** URL that the text is from; for the log. */
  readonly url: string;
  /** Bytes or characters. */
  readonly size: number;
}

export interface Offload extends AsyncDisposable {
  /**
   * @param about decides by its size where the task runs
   * @returns rejects with the signal's reason, and after the disposal; with nothing else
   */
  run<Input, Output>(
    task: Task<Input, Output>,
    input: Input,
    about: TaskText,
    signal: AbortSignal,
  ): Promise<TaskEnd<Output>>;
}

/** Runs a task in the caller's thread. */
export function runHere<Input, Output>(task: Task<Input, Output>, input: Input): TaskEnd<Output> {
  try {
    return { kind: 'done', value: task.run(input) };
  } catch (error) {
    return { kind: 'gave-up', cause: 'error', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Runs everything in the caller's thread: for a program that reads a few texts of its own. */
export const withoutThreads: Offload = {
  run: (task, input, _about, signal) =>
    signal.aborted ? Promise.reject(signal.reason) : Promise.resolve(runHere(task, input)),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
