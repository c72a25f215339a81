/**
 * Thrown into everything that waits for a page when the page cannot answer any more; ends as an outcome, never leaves
 * the room.
 */
export class PageEnded extends Error {
  readonly kind: 'crashed' | 'timed-out';

  constructor(kind: PageEnded['kind'], message: string) {
    super(message);
    this.name = 'PageEnded';
    this.kind = kind;
  }
}
