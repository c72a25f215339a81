/** Messages between a pool and its threads: one task at a time, then how it ended. */
export interface TaskMessage {
  readonly name: string;
  readonly input: unknown;
}

export type TaskReply =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly detail: string };
