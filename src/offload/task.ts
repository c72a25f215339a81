/** A pure function that may run in another thread: its input and its output are cloned. */
export interface Task<Input, Output> {
  /** Unique among the tasks of the program; for the log too: `static page`. */
  readonly name: string;
  readonly run: (input: Input) => Output;
}

/** The reason why a text was not read to its end. */
export type GiveUpCause =
  /** It took longer than it may. */
  | 'deadline'
  /** It took more memory than it may. */
  | 'memory'
  /** The parser threw. */
  | 'error';

/** The end of a task. A text that could not be read is no surprise: the caller keeps what is known without it. */
export type TaskEnd<Output> =
  | { readonly kind: 'done'; readonly value: Output }
  | { readonly kind: 'gave-up'; readonly cause: GiveUpCause; readonly detail: string };

/** The record's note on a task that was given up: `static page (deadline: longer than 30000 ms)`. */
export function gaveUpWords(
  { name }: Pick<Task<never, unknown>, 'name'>,
  { cause, detail }: Extract<TaskEnd<unknown>, { readonly kind: 'gave-up' }>,
): string {
  return `${name} (${cause}: ${detail.slice(0, 200)})`;
}
