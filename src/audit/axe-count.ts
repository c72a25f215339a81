/** Counts the judged pages that axe-core has checked, and the reasons why it has not checked the others. */
import type { AxeCatalogue, AxeCheck } from '../model/accessibility.ts';
import type { AccessibilityCoverage } from '../model/finding.ts';

export class AxeCount {
  readonly catalogue: AxeCatalogue;
  readonly #templateOf: (url: string) => string;
  readonly #templates = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #notChecked: Partial<Record<keyof AccessibilityCoverage['notChecked'], number>> = {};
  #checked = 0;
  #undecided = 0;

  constructor(catalogue: AxeCatalogue, templateOf: (url: string) => string) {
    this.catalogue = catalogue;
    this.#templateOf = templateOf;
  }

  /** A judged page. @param check null where it was not asked about the page */
  addPage(url: string, check: AxeCheck | null): void {
    const template = this.#templateOf(url);
    this.#templates.add(template);
    if (check?.end === 'done') {
      this.#checked += 1;
      this.#undecided += check.undecided;
      this.#seen.add(template);
      return;
    }
    // pages that were left out on purpose are not missing
    if (check === null && this.catalogue.pages === 'template') return;
    const why = check?.end ?? 'not-asked';
    this.#notChecked[why] = (this.#notChecked[why] ?? 0) + 1;
  }

  coverage(): AccessibilityCoverage {
    const { version, pages } = this.catalogue;
    return {
      by: `axe-core ${version}`,
      pages,
      checked: this.#checked,
      notChecked: this.#notChecked,
      ...(pages === 'template' ? { templates: { seen: this.#seen.size, all: this.#templates.size } } : {}),
      undecided: this.#undecided,
    };
  }
}
