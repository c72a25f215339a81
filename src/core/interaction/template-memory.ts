/** The yield of interactions with pages of one template so far; without any, little is done on the next ones. */
import { LruMap } from '../../base/lru-map.ts';
import { urlShape } from '../../model/url/url-shape.ts';

/** Pages that brought nothing new, one after the other, after which little is tried. */
const BARREN_PAGES = 3;
/** Kinds of page remembered; the one not seen for longest is dropped. */
const TEMPLATES = 500;
/** Targets remembered of one kind; those that pages led to last. */
const TARGETS = 2000;
/** Pages after which one is again interacted with in full. */
const LOOK_AGAIN = 25;

interface Known {
  readonly targets: LruMap<string, true>;
  barren: number;
}

export class TemplateMemory {
  readonly #templates = new LruMap<string, Known>(TEMPLATES);

  /** Number of actions that are worth it on this page. */
  budget(url: string, actions: { readonly most: number; readonly few: number }): number {
    const known = this.#templates.peek(urlShape(url, 'route'));
    if (known === undefined || known.barren < BARREN_PAGES) return actions.most;
    return known.barren % LOOK_AGAIN === 0 ? actions.most : actions.few;
  }

  /** @param targets that the actions on this page led to */
  learn(url: string, targets: Iterable<string>): void {
    const known = this.#templates.getOrMake(urlShape(url, 'route'), () => ({
      targets: new LruMap(TARGETS),
      barren: 0,
    }));
    let fresh = 0;
    for (const target of targets) {
      if (known.targets.get(target) === undefined) fresh += 1;
      known.targets.set(target, true);
    }
    known.barren = fresh > 0 ? 0 : known.barren + 1;
  }
}
