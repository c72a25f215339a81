/**
 * Asks for external links, many hosts side by side and each of them one request at a time. A link that needs another look is put off to the
 * next round, so that the others are asked meanwhile.
 */
import { counted } from '../base/count-words.ts';
import { milliseconds } from '../base/units.ts';
import { isHearsay, signOf, type LookSign } from '../core/external/look.ts';
import { nextStep, type HostWord } from '../core/external/next-step.ts';
import type { ExternalRecord } from '../model/external-record.ts';
import { endpointOf } from '../model/url/host-key.ts';
import { AskedLink } from './asked-link.ts';
import { takeLook, type LookNeeds } from './take-look.ts';

/** Hosts at a time; most of the time is waiting. Arbitrary. */
const SIDE_BY_SIDE = 32;
/** A host that refuses so many links in a row, or does not answer, is left alone. Arbitrary. */
const STRIKES = 5;
const STRIKING: ReadonlySet<LookSign | undefined> = new Set(['blocked', 'passing']);

/**
 * @param urls each once
 * @returns a record for each, in their order; links that the signal came before are not asked, or unsure
 */
export async function askLinks(
  urls: readonly string[],
  needs: LookNeeds,
  signal: AbortSignal,
): Promise<readonly ExternalRecord[]> {
  const asking = new Asking(
    urls.map((url) => new AskedLink(url)),
    needs,
    signal,
  );
  await asking.run();
  return asking.records();
}

class Asking {
  readonly #links: readonly AskedLink[];
  readonly #needs: LookNeeds;
  readonly #signal: AbortSignal;
  readonly #done = new Map<AskedLink, ExternalRecord>();
  /** The answers of hosts, by scheme, name and port; a good answer to any link counts. */
  readonly #hosts = new Map<string, HostWord>();
  /** Hosts whose HEAD answers differ from their GET answers. */
  readonly #liars = new Set<string>();

  constructor(links: readonly AskedLink[], needs: LookNeeds, signal: AbortSignal) {
    this.#links = links;
    this.#needs = needs;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    for (let round = this.#links; round.length > 0 && !this.#signal.aborted;) {
      const hosts = byHost(round);
      const worker = async (): Promise<void> => {
        for (let links = hosts.shift(); links !== undefined; links = hosts.shift()) await this.#host(links);
      };
      // oxlint-disable-next-line no-await-in-loop -- a round asks again what the one before it has put off
      const ends = await Promise.allSettled(Array.from({ length: SIDE_BY_SIDE }, worker));
      for (const end of ends) if (end.status === 'rejected' && !this.#signal.aborted) throw end.reason;
      round = round.filter((link) => !this.#done.has(link)).toSorted((one, other) => one.due - other.due);
    }
  }

  records(): readonly ExternalRecord[] {
    const why = this.#signal.reason instanceof Error ? this.#signal.reason.message : 'interrupted';
    return this.#links.map((link) => this.#done.get(link) ?? link.leftAlone(why));
  }

  /** @param links of one host */
  async #host(links: readonly AskedLink[]): Promise<void> {
    let strikes = 0;
    for (const link of links) {
      if (strikes >= STRIKES) {
        this.#done.set(
          link,
          link.leftAlone(`its host refused ${counted(STRIKES, 'other link')} in a row, or did not answer`),
        );
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop -- one request at a time to a host
      await this.#link(link);
      const last = link.looks.at(-1);
      strikes = STRIKING.has(last === undefined ? undefined : signOf(last)) ? strikes + 1 : 0;
    }
  }

  /** Asks until there is a verdict, or until it has to wait. @throws the signal's reason */
  async #link(link: AskedLink): Promise<void> {
    const { clock, egress } = this.#needs;
    const wait = link.due - clock.monotonic();
    if (wait > 0) await clock.sleep(milliseconds(wait), this.#signal);
    for (;;) {
      const host = hostOf(link.end);
      const step = nextStep(link.looks, this.#hosts.get(host) ?? null, this.#liars.has(host));
      if (step.kind === 'verdict') {
        this.#done.set(link, link.concluded(step.verdict, step.detail));
        return;
      }
      if (step.kind === 'ask-host') {
        // oxlint-disable-next-line no-await-in-loop -- one request at a time to a host
        await this.#askHost(link.end);
        continue;
      }
      const last = link.looks.at(-1);
      link.due = last === undefined ? 0 : last.at + step.wait;
      if (step.wait > 0 && link.due > clock.monotonic()) return;
      // the gate remembers for longer than the wait that the name does not exist
      if (last !== undefined && signOf(last) === 'dead')
        await egress.lookUp(endpointOf(link.end).hostName, this.#signal);
      await this.#look(link, step.method);
    }
  }

  async #look(link: AskedLink, method: 'HEAD' | 'GET'): Promise<void> {
    const taken = await takeLook(link.url, method, this.#needs, this.#signal);
    link.add(method, taken, this.#needs.clock);
    const host = hostOf(link.end);
    const [last, before] = link.looks.toReversed();
    if (before !== undefined && isHearsay(before) && signOf(taken) === 'gone') this.#liars.add(host);
    const isSure = last !== undefined && !isHearsay(last);
    if (signOf(taken) === 'good' && isSure) this.#hosts.set(host, 'answers-well');
    else if (taken.answer.kind === 'answered' && !this.#hosts.has(host)) this.#hosts.set(host, 'answers');
  }

  /** Asks the first page of a host that answered with 404; where the link is that page itself, there is nothing more to learn. */
  async #askHost(url: string): Promise<void> {
    const host = hostOf(url);
    const first = `${host}/`;
    const isWell = url !== first && signOf(await takeLook(first, 'GET', this.#needs, this.#signal)) === 'good';
    this.#hosts.set(host, isWell ? 'answers-well' : 'answers-nothing-well');
  }
}

/** Scheme, name and port. @param url with a host */
function hostOf(url: string): string {
  return new URL(url).origin;
}

function byHost(links: readonly AskedLink[]): (readonly AskedLink[])[] {
  const groups = new Map<string, AskedLink[]>();
  for (const link of links) {
    const known = groups.get(link.hostName);
    if (known === undefined) groups.set(link.hostName, [link]);
    else known.push(link);
  }
  return [...groups.values()];
}
