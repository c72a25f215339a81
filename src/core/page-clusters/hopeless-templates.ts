/** Templates of which many pages in a row needed a browser: the next ones go to it without a look at their markup. */
import { LruMap } from '../../base/lru-map.ts';

/** Pages in a row. An arbitrary number. */
const HOPELESS = 10;

interface Template {
  readonly host: string;
  readonly specific: string;
}

export class HopelessTemplates {
  readonly #watch: number;
  /** Pages rendered in a row, and pages since the last look that were not looked at. */
  readonly #rows: LruMap<string, { rendered: number; unseen: number }>;

  /** @param limit templates that are kept; @param watch one in `watch` pages of a hopeless one is looked at all the same */
  constructor(limit: number, watch: number) {
    this.#rows = new LruMap(limit);
    this.#watch = watch;
  }

  /** Is the look at a page of it to be skipped? Counts the page. */
  skips(template: Template): boolean {
    const row = this.#rows.peek(keyOf(template));
    if (row === undefined || row.rendered < HOPELESS) return false;
    row.unseen += 1;
    if (row.unseen < this.#watch) return true;
    row.unseen = 0;
    return false;
  }

  /** A page of it was looked at. */
  note(template: Template, isRendered: boolean): void {
    const row = this.#rows.getOrMake(keyOf(template), () => ({ rendered: 0, unseen: 0 }));
    row.rendered = isRendered ? row.rendered + 1 : 0;
  }
}

function keyOf({ host, specific }: Template): string {
  return `${host} ${specific}`;
}
