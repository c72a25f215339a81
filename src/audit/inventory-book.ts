/** The inventory of a site: hosts of others, their scripts, cookies, storages and fonts, each with the pages that have it. */
import { sizeWords } from '../base/size-words.ts';
import type { InventoryItem } from '../model/finding.ts';
import type { PageDetails, ThirdPartyHost } from '../model/page-details.ts';

/** The kinds in the order in which reports show them. */
const KINDS = ['host', 'script', 'cookie', 'storage', 'font'] as const;
type Kind = (typeof KINDS)[number];
/** Kinds that a crawl also records before a dialog is answered. */
const NEEDS_CONSENT: ReadonlySet<Kind> = new Set(['host', 'cookie']);
/** The most things of a kind. */
const MOST = 2000;

interface Counted {
  readonly detail: string | null;
  pages: number;
  beforeConsent: number;
}

interface Seen {
  readonly detail?: string | null;
  readonly early?: boolean | undefined;
}

export class InventoryBook {
  readonly #items: Readonly<Record<Kind, Map<string, Counted>>> = {
    host: new Map(),
    script: new Map(),
    cookie: new Map(),
    storage: new Map(),
    font: new Map(),
  };

  /** Was a consent dialog answered on any page? */
  #hasAnswered = false;
  /** Has a host of another domain answered any page? */
  hasHeardOthers = false;

  addPage({ behaviour }: PageDetails): void {
    if (behaviour === null) return;
    this.hasHeardOthers ||=
      behaviour.thirdParties.first.some(({ wire }) => wire > 0) ||
      behaviour.failed.first.some(({ party, status }) => party === 'third' && status !== null);
    const before = behaviour.beforeConsent;
    this.#hasAnswered ||= before !== null;
    for (const host of behaviour.thirdParties.first)
      this.#add('host', host.host, { detail: hostWords(host), early: before?.hosts.includes(host.host) });
    for (const { url, wire, decoded } of behaviour.scripts.first)
      this.#add('script', url.split('?', 1)[0] ?? url, { detail: sizeWords(Math.max(wire, decoded)) });
    for (const { name, domain, secure, httpOnly, sameSite, party } of behaviour.cookies.first) {
      const flags = [secure ? ['Secure'] : [], httpOnly ? ['HttpOnly'] : [], sameSite ? [`SameSite=${sameSite}`] : []];
      const owner = party === 'third' ? `of another site (${domain})` : `of ${domain}`;
      const detail = `${owner}: ${flags.flat().join(', ') || 'no flags'}`;
      this.#add('cookie', name, { detail, early: before?.cookies.includes(name) });
    }
    for (const [name, keys] of Object.entries(behaviour.storage ?? {}))
      if (keys > 0) this.#add('storage', `${name}Storage`);
    for (const family of behaviour.fonts) this.#add('font', family.replaceAll(/^["']|["']$/g, ''));
  }

  /** The items by kind, those on most pages first. */
  items(): readonly InventoryItem[] {
    return KINDS.flatMap((kind) =>
      [...this.#items[kind]]
        .map(([name, { detail, pages, beforeConsent }]) => ({
          ...{ kind, name, detail, pages },
          beforeConsent: this.#hasAnswered && NEEDS_CONSENT.has(kind) ? beforeConsent : null,
        }))
        .toSorted((one, other) => other.pages - one.pages || (one.name < other.name ? -1 : 1)),
    );
  }

  /** Adds a thing; its detail is that of the first page that has it. @param seen early: was it there before consent? */
  #add(kind: Kind, name: string, { detail = null, early = false }: Seen = {}): void {
    const items = this.#items[kind];
    const known = items.get(name);
    const beforeConsent = early ? 1 : 0;
    if (known === undefined) {
      if (items.size < MOST) items.set(name, { detail, pages: 1, beforeConsent });
      return;
    }
    known.pages += 1;
    known.beforeConsent += beforeConsent;
  }
}

function hostWords({ requests, wire, chain }: ThirdPartyHost): string {
  const size = wire > 0 ? `, ${sizeWords(wire)}` : '';
  const by = chain.length === 0 ? 'asked for by the page' : `asked for by ${chain.join(' → ')}`;
  return `${requests === 1 ? '1 request' : `${requests} requests`}${size}; ${by}`;
}
