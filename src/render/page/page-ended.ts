/**
 * Thrown into everything that waits for a page when the page cannot answer any more; ends as an outcome, never leaves
 * the module.
 */
export class PageEnded extends Error {
  readonly kind: 'crashed' | 'timed-out';
  /** It took more memory than it may. */
  readonly memory: boolean;
  /** It was closed while it was in use: by a script of its own, unless its browser has gone. */
  readonly closed: boolean;

  constructor(
    kind: PageEnded['kind'],
    message: string,
    { memory = false, closed = false }: { readonly memory?: boolean; readonly closed?: boolean } = {},
  ) {
    super(message);
    this.name = 'PageEnded';
    this.kind = kind;
    this.memory = memory;
    this.closed = closed;
  }
}
