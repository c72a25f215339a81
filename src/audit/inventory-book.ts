/** What a site is made of: hosts of others, their scripts, cookies, storages and fonts, each with the pages that have it. */
import { sizeWords } from '../base/size-words.ts';
import type { InventoryItem } from '../model/finding.ts';
import type { PageDetails, ThirdPartyHost } from '../model/page-details.ts';

/** In the order in which reports show them. */
const KINDS = ['host', 'script', 'cookie', 'storage', 'font'] as const;
type Kind = (typeof KINDS)[number];
/** Things of a kind. */
const MOST = 2000;

interface Counted {
  readonly detail: string | null;
  pages: number;
}

export class InventoryBook {
  readonly #items: Readonly<Record<Kind, Map<string, Counted>>> = {
    host: new Map(),
    script: new Map(),
    cookie: new Map(),
    storage: new Map(),
    font: new Map(),
  };

  /** A host of another domain has answered any page. */
  hasHeardOthers = false;

  addPage({ behaviour }: PageDetails): void {
    if (behaviour === null) return;
    this.hasHeardOthers ||=
      behaviour.thirdParties.first.some(({ wire }) => wire > 0) ||
      behaviour.failed.first.some(({ party, status }) => party === 'third' && status !== null);
    for (const host of behaviour.thirdParties.first) this.#add('host', host.host, hostWords(host));
    for (const { url, wire, decoded } of behaviour.scripts.first)
      this.#add('script', url.split('?', 1)[0] ?? url, sizeWords(Math.max(wire, decoded)));
    for (const { name, domain, secure, httpOnly, sameSite, party } of behaviour.cookies.first) {
      const flags = [secure ? ['Secure'] : [], httpOnly ? ['HttpOnly'] : [], sameSite ? [`SameSite=${sameSite}`] : []];
      const owner = party === 'third' ? `of another site (${domain})` : `of ${domain}`;
      this.#add('cookie', name, `${owner}: ${flags.flat().join(', ') || 'no flags'}`);
    }
    for (const [name, keys] of Object.entries(behaviour.storage ?? {}))
      if (keys > 0) this.#add('storage', `${name}Storage`, null);
    for (const family of behaviour.fonts) this.#add('font', family.replaceAll(/^["']|["']$/g, ''), null);
  }

  /** By kind, those on most pages first. */
  items(): readonly InventoryItem[] {
    return KINDS.flatMap((kind) =>
      [...this.#items[kind]]
        .map(([name, { detail, pages }]) => ({ kind, name, detail, pages }))
        .toSorted((one, other) => other.pages - one.pages || (one.name < other.name ? -1 : 1)),
    );
  }

  /** The detail is that of the first page that has it. */
  #add(kind: Kind, name: string, detail: string | null): void {
    const items = this.#items[kind];
    const known = items.get(name);
    if (known !== undefined) known.pages += 1;
    else if (items.size < MOST) items.set(name, { detail, pages: 1 });
  }
}

function hostWords({ requests, wire, chain }: ThirdPartyHost): string {
  const size = wire > 0 ? `, ${sizeWords(wire)}` : '';
  const by = chain.length === 0 ? 'asked for by the page' : `asked for by ${chain.join(' → ')}`;
  return `${requests === 1 ? '1 request' : `${requests} requests`}${size}; ${by}`;
}
