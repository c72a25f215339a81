/** Sections beside the findings, each only where there is content: duplicates, traps, external links, inventory, screenshots; rules and notes. */
import { counted, grouped } from '../../base/count-words.ts';
import type { AuditResult, ExternalLink, InventoryItem } from '../../model/finding.ts';
import { isShownLink } from '../../model/report-data.ts';
import { html, linkTo, type Markup } from './markup.ts';
import { findingsByPage } from './report-data.ts';

/** Clusters, patterns, links of a verdict, things of a kind; and pages of a cluster. */
const MOST = 60;
const MOST_TWINS = 12;
const MOST_PICTURES = 48;

/** A section with its id; null where there is nothing to show. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Markup | null;
}

export function duplicatesSection({ pages }: AuditResult, origins: readonly string[]): Section {
  const clusters = new Map<string, string[]>();
  for (const { url, duplicateOf } of pages) {
    if (duplicateOf === null) continue;
    const twins = clusters.get(duplicateOf);
    if (twins === undefined) clusters.set(duplicateOf, [url]);
    else twins.push(url);
  }
  const largest = [...clusters].toSorted(([, one], [, other]) => other.length - one.length);
  const content = html`<p class="lead">${counted(clusters.size, 'cluster')} of pages whose texts are alike.</p>
    <ul class="cards">
      ${largest.slice(0, MOST).map(
        ([first, twins]) =>
          html`<li class="card">
            <p>${linkTo(first, origins)}</p>
            <details>
              <summary>${counted(twins.length, 'page')} like it</summary>
              <ul class="plain">
                ${twins.slice(0, MOST_TWINS).map((url) => html`<li>${linkTo(url, origins)}</li>`)}${moreItem(twins.length - MOST_TWINS)}
              </ul>
            </details>
          </li>`,
      )}
    </ul>
    ${moreText(largest.length - MOST, 'cluster')}`;
  return { id: 'duplicates', title: 'Duplicates', content: clusters.size === 0 ? null : content };
}

export function trapsSection({ suspectedTraps = [] }: AuditResult): Section {
  const content = html`<p class="lead">Spaces of addresses that look endless; the crawl left them alone.</p>
    <ul class="cards">
      ${suspectedTraps.slice(0, MOST).map(
        ({ pattern, fetched, held, why }) =>
          html`<li class="card">
            <p><code>${pattern}</code></p>
            <p class="muted">${grouped(fetched)} fetched, ${grouped(held)} left alone. ${why}</p>
          </li>`,
      )}
    </ul>
    ${moreText(suspectedTraps.length - MOST, 'pattern')}`;
  return { id: 'traps', title: 'Suspected traps', content: suspectedTraps.length === 0 ? null : content };
}

export function externalSection({ external }: AuditResult, origins: readonly string[]): Section {
  const byVerdict = grouping(external ?? [], ({ verdict }) => verdict);
  const content = html`<p class="lead">
      ${counted(external?.length ?? 0, 'link')} to other sites, by what came of asking.
    </p>
    ${byVerdict.map(
      ([verdict, links]) =>
        html`<details class="group">
          <summary>
            <span class="group-title">${verdict}</span><span class="group-count">${counted(links.length, 'link')}</span>
          </summary>
          <ul class="plain">
            ${links.slice(0, MOST).map((link) => externalMarkup(link, origins))}${moreItem(links.length - MOST)}
          </ul>
        </details>`,
    )}`;
  return { id: 'external', title: 'External links', content: external === undefined ? null : content };
}

function externalMarkup({ url, status, sources }: ExternalLink, origins: readonly string[]): Markup {
  const [first] = sources.first;
  return html`<li>
    ${linkTo(url, [])}
    <span class="muted"
      >${status === null ? '' : `${status}, `}on
      ${counted(sources.count, 'page')}${first === undefined ? '' : ', first '}</span
    >${first === undefined ? null : linkTo(first.url, origins)}
  </li>`;
}

export function inventorySection({ inventory }: AuditResult): Section {
  const byKind = grouping(inventory ?? [], ({ kind }) => kind);
  const content = html`${byKind.map(
    ([kind, items]) =>
      html`<h3>${kind} <span class="count">${grouped(items.length)}</span></h3>
        <ul class="plain">
          ${items.slice(0, MOST).map(itemMarkup)}${moreItem(items.length - MOST)}
        </ul>`,
  )}`;
  return { id: 'inventory', title: 'Inventory', content: inventory === undefined ? null : content };
}

function itemMarkup({ name, detail, pages, beforeConsent }: InventoryItem): Markup {
  const early = beforeConsent === null || beforeConsent === 0 ? '' : `, before consent on ${grouped(beforeConsent)}`;
  return html`<li><b>${name}</b> ${detail ?? ''} <span class="muted">on ${counted(pages, 'page')}${early}</span></li>`;
}

/** A path of a picture below the crawl folder, as the crawl writes them. */
const PICTURE = /^(?!.*(?:^|\/)\.\.?(?:\/|$))[\w.-]+(?:\/[\w.-]+)*\.(?:png|jpe?g|webp)$/;

/** @param crawlFolder the way from the report to the crawl folder; null where there is none */
export function picturesSection(result: AuditResult, crawlFolder: string | null, origins: readonly string[]): Section {
  const counts = findingsByPage(result);
  const base = (crawlFolder ?? '').split('/').map(encodeURIComponent).join('/');
  const shown = result.pages
    .flatMap(({ url, screenshot }) =>
      screenshot !== null && screenshot.length < 300 && PICTURE.test(screenshot) && counts.has(url)
        ? [{ url, screenshot, count: counts.get(url) ?? 0 }]
        : [],
    )
    .toSorted((one, other) => other.count - one.count);
  const content = html`<p class="lead">
      Pages with the most findings. The pictures lie in the crawl folder and are not part of this file.
    </p>
    <ul class="pictures">
      ${shown.slice(0, MOST_PICTURES).map(
        ({ url, screenshot, count }) =>
          html`<li>
            <img src="${`${base}/${screenshot}`}" alt="" loading="lazy" width="320" height="200" />
            <p>${linkTo(url, origins)}</p>
            <p class="muted">${counted(count, 'finding')}</p>
          </li>`,
      )}
    </ul>`;
  return { id: 'pictures', title: 'Screenshots', content: shown.length === 0 || crawlFolder === null ? null : content };
}

/** The applied rules with their counts of findings; rules without findings on the judged pages are listed, too. */
export function rulesSection({ rules, findings, coverage }: AuditResult): Section {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const content = html`<p class="lead">
      ${counted(rules.length, 'rule')} applied to ${counted(coverage.judged, 'judged page')}.
    </p>
    <ul class="rules">
      ${rules.map(
        ({ id, title, source }) =>
          html`<li>
            <span
              ><code>${id}</code> ${title}
              ${isShownLink(source.url) ? html`<a class="muted" href="${source.url}" rel="noopener noreferrer" referrerpolicy="no-referrer" target="_blank">${source.name}</a>` : null}</span
            ><span class="count">${grouped(counts.get(id) ?? 0)}</span>
          </li>`,
      )}
    </ul>`;
  return { id: 'rules', title: 'Rules', content };
}

export function notesSection({ notes }: AuditResult): Section {
  const content = html`<ul class="plain">
    ${notes.slice(0, MOST).map((note) => html`<li>${note}</li>`)}${moreItem(notes.length - MOST)}
  </ul>`;
  return { id: 'notes', title: 'Notes', content: notes.length === 0 ? null : content };
}

/** Items by a name, the most frequent first; names beyond {@link MOST} are left out. */
function grouping<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): readonly (readonly [string, readonly Item[]])[] {
  const byName = new Map<string, Item[]>();
  for (const item of items) {
    const known = byName.get(nameOf(item));
    if (known === undefined) byName.set(nameOf(item), [item]);
    else known.push(item);
  }
  return [...byName].toSorted(([, one], [, other]) => other.length - one.length).slice(0, MOST);
}

function moreItem(count: number): Markup | null {
  return count > 0 ? html`<li class="muted">and ${grouped(count)} more</li>` : null;
}

function moreText(count: number, noun: string): Markup | null {
  return count > 0 ? html`<p class="muted">and ${counted(count, `further ${noun}`)}</p>` : null;
}
