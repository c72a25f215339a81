/** Chooses the pages to measure: one of each template, the largest templates first. */

export interface MeasurablePage {
  readonly url: string;
  /** Its address when the crawl read it: scripts may rename a page. */
  readonly finalUrl: string;
  readonly depth: number;
  readonly template: string;
}

interface ChosenPages {
  readonly pages: readonly { readonly url: string; readonly finalUrl: string; readonly alike: number }[];
  /** Number of templates without a chosen page. */
  readonly left: number;
}

/** @param most templates */
export function measuredPages(candidates: Iterable<MeasurablePage>, most: number): ChosenPages {
  const templates = new Map<string, { first: MeasurablePage; alike: number }>();
  for (const page of candidates) {
    const known = templates.get(page.template);
    if (known === undefined) templates.set(page.template, { first: page, alike: 1 });
    else {
      known.alike += 1;
      if (isBefore(page, known.first)) known.first = page;
    }
  }
  const chosen = [...templates.values()]
    .toSorted((one, other) => other.alike - one.alike || (isBefore(one.first, other.first) ? -1 : 1))
    .slice(0, most);
  const pages = chosen.map(({ first: { url, finalUrl }, alike }) => ({ url, finalUrl, alike }));
  return { pages, left: templates.size - chosen.length };
}

function isBefore(one: MeasurablePage, other: MeasurablePage): boolean {
  return one.depth < other.depth || (one.depth === other.depth && one.url < other.url);
}
