/**
 * Observes one page for audits, beside the page watch: messages, requests, reports of the browser. Exists only where the crawl is audited.
 * Bounded: items beyond the limits are counted, not kept.
 */
import type { DevToolsSession, EventOf } from '../../../browsers/protocol/session.ts';
import { bytes, type Bytes } from '../../base/units.ts';
import { cutText } from '../../base/cut-text.ts';
import type { BeforeConsent, CspViolation, PageBehaviour, PageMessage, Sample } from '../../model/page-details.ts';
import { ADDRESS_LENGTH, LISTED, MESSAGE_LENGTH, MESSAGES_READ, READ_MESSAGE } from '../limits/details-limits.ts';
import { NetworkTally } from './network-tally.ts';

type Messages = Pick<
  PageBehaviour,
  'exceptions' | 'consoleErrors' | 'consoleWarnings' | 'cspViolations' | 'deprecations'
>;

export class BehaviourLog {
  readonly requests: NetworkTally = new NetworkTally();
  readonly #exceptions = new Samples<PageMessage>();
  readonly #errors = new Samples<PageMessage>();
  readonly #warnings = new Samples<PageMessage>();
  readonly #violations = new Samples<CspViolation>();
  readonly #deprecations = new Samples<PageMessage>();

  /** Messages of exceptions, by the browser's id: it revokes a rejection that is handled later. Null: not listed. */
  readonly #thrown = new Map<number, PageMessage | null>();

  /** See {@link PageBehaviour.beforeConsent}. */
  beforeConsent: BeforeConsent | null = null;

  readonly #session: DevToolsSession;
  /** Messages of this visit, of any kind. */
  #messages = 0;

  constructor(session: DevToolsSession) {
    this.#session = session;
    this.#readMessages(READ_MESSAGE);
    session.on('Runtime.consoleAPICalled', (event) => {
      this.#countMessage();
      if (event.type === 'error' || event.type === 'assert') this.#errors.add(() => consoleMessage(event));
      else if (event.type === 'warning') this.#warnings.add(() => consoleMessage(event));
    });
    session.on('Runtime.exceptionThrown', (event) => {
      this.#countMessage();
      const message = this.#exceptions.add(() => exceptionMessage(event));
      const { exceptionDetails }: Partial<EventOf<'Runtime.exceptionThrown'>> = event;
      if (exceptionDetails !== undefined && this.#thrown.size < MESSAGES_READ)
        this.#thrown.set(exceptionDetails.exceptionId, message);
    });
    session.on('Runtime.exceptionRevoked', ({ exceptionId }) => {
      const message = this.#thrown.get(exceptionId);
      if (message !== undefined && this.#thrown.delete(exceptionId)) this.#exceptions.takeBack(message);
    });
    session.on('Audits.issueAdded', ({ issue }) => this.#issue(issue));
    this.watch(session);
  }

  /** Switches on the reports that the page watch does not. */
  async open(session: DevToolsSession): Promise<void> {
    await session.send('Audits.enable').catch(() => {}); // a browser that has no such reports is audited without them
  }

  /** Counts the requests of a worker or a frame of another process, too. */
  watch(session: DevToolsSession): void {
    const { requests } = this;
    session.on('Network.requestWillBeSent', (event) => requests.begin(event));
    session.on('Network.responseReceived', (event) => requests.answered(event));
    session.on('Network.dataReceived', (event) => requests.data(event));
    session.on('Network.loadingFinished', (event) => requests.finished(event));
    session.on('Network.loadingFailed', (event) => requests.failed(event));
  }

  /** Forgets the visit before. */
  clear(): void {
    if (this.#messages >= MESSAGES_READ) this.#readMessages(READ_MESSAGE);
    this.#messages = 0;
    this.beforeConsent = null;
    this.requests.clear();
    this.#thrown.clear();
    const all = [this.#exceptions, this.#errors, this.#warnings, this.#violations, this.#deprecations];
    for (const samples of all) samples.clear();
  }

  messages(): Messages {
    return {
      exceptions: this.#exceptions.sample(),
      consoleErrors: this.#errors.sample(),
      consoleWarnings: this.#warnings.sample(),
      cspViolations: this.#violations.sample(),
      deprecations: this.#deprecations.sample(),
    };
  }

  /** Counts messages; those of a flood are read no more. */
  #countMessage(): void {
    this.#messages += 1;
    if (this.#messages === MESSAGES_READ) this.#readMessages(bytes(0));
  }

  #readMessages(most: Bytes): void {
    this.#session.readWhole?.(['Runtime.consoleAPICalled', 'Runtime.exceptionThrown'], most);
  }

  #issue({ details }: EventOf<'Audits.issueAdded'>['issue']): void {
    const { contentSecurityPolicyIssueDetails: csp, deprecationIssueDetails: deprecation } = details;
    if (csp !== undefined) {
      const { contentSecurityPolicyViolationType: type } = csp;
      this.#violations.add(() => ({
        directive: cutText(csp.violatedDirective, 100),
        blocked: cutText(csp.blockedURL ?? BLOCKED.get(type) ?? type, ADDRESS_LENGTH),
        reportOnly: csp.isReportOnly,
        source: addressOf(csp.sourceCodeLocation?.url),
      }));
    }
    if (deprecation !== undefined) {
      this.#deprecations.add(() => ({
        text: cutText(deprecation.type, MESSAGE_LENGTH),
        source: addressOf(deprecation.sourceCodeLocation?.url),
      }));
    }
  }
}

/** Counts all items, and keeps the first ones. */
class Samples<Item> {
  #count = 0;
  #first: Item[] = [];

  /** @param item null for an event of which only the kind was read @returns the item where it is listed */
  add(item: () => Item | null): Item | null {
    this.#count += 1;
    if (this.#first.length >= LISTED) return null;
    const read = item();
    if (read !== null) this.#first.push(read);
    return read;
  }

  /** Takes a counted item back. @param listed null where it is not listed */
  takeBack(listed: Item | null): void {
    this.#count -= 1;
    this.#first = this.#first.filter((item) => item !== listed);
  }

  clear(): void {
    this.#count = 0;
    this.#first = [];
  }

  sample(): Sample<Item> {
    return { count: this.#count, first: this.#first };
  }
}

/** Events that were too large to be read have nothing but their kind. */
function consoleMessage({ args, stackTrace }: Partial<EventOf<'Runtime.consoleAPICalled'>>): PageMessage | null {
  if (args === undefined) return null;
  const words = args.slice(0, 10).map(({ value, description, type }) => {
    if (typeof value === 'string') return value.slice(0, MESSAGE_LENGTH);
    return (description ?? (value === undefined ? type : JSON.stringify(value))).slice(0, MESSAGE_LENGTH);
  });
  return { text: messageText(words.join(' ')), source: addressOf(stackTrace?.callFrames[0]?.url) };
}

function exceptionMessage({ exceptionDetails }: Partial<EventOf<'Runtime.exceptionThrown'>>): PageMessage | null {
  if (exceptionDetails === undefined) return null;
  const { exception, text, url, stackTrace } = exceptionDetails;
  const said =
    exception?.description?.split('\n', 1)[0] ?? (exception?.value === undefined ? '' : String(exception.value));
  const source = stackTrace?.callFrames.find((frame) => frame.url !== '')?.url ?? url;
  return { text: messageText(said === '' ? text : said), source: addressOf(source) };
}

function messageText(text: string): string {
  return cutText(
    text
      .slice(0, MESSAGE_LENGTH * 4)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    MESSAGE_LENGTH,
  );
}

function addressOf(url: string | undefined): string | null {
  return url === undefined || url === '' ? null : cutText(url, ADDRESS_LENGTH);
}

/** What was blocked where it has no URL, in the words of the standards (CSP 3, section 2.4; Trusted Types, section 5.1). */
const BLOCKED: ReadonlyMap<string, string> = new Map([
  ['kInlineViolation', 'inline'],
  ['kEvalViolation', 'eval'],
  ['kWasmEvalViolation', 'eval'],
  ['kTrustedTypesSinkViolation', 'trusted-types-sink'],
  ['kTrustedTypesPolicyViolation', 'trusted-types-policy'],
]);
