/** An external link while it is checked. */
import type { Clock } from '../base/clock.ts';
import { lookWords, type Look } from '../core/external/look.ts';
import type { ExternalLook, ExternalRecord, ExternalVerdict } from '../model/external-record.ts';
import { endpointOf } from '../model/url/host-key.ts';
import type { TakenLook } from './take-look.ts';

export class AskedLink {
  readonly url: string;
  readonly hostName: string;
  readonly looks: Look[] = [];
  /** The monotonic time from which it may be asked again. */
  due = 0;
  readonly #told: ExternalLook[] = [];
  #last: TakenLook | null = null;

  constructor(url: string) {
    this.url = url;
    this.hostName = endpointOf(url).hostName;
  }

  /** The URL at which the last look ended. */
  get end(): string {
    return this.#last?.chain.at(-1) ?? this.url;
  }

  add(method: 'HEAD' | 'GET', taken: TakenLook, clock: Clock): void {
    const look = { method, at: clock.monotonic(), answer: taken.answer };
    this.looks.push(look);
    this.#last = taken;
    const time = new Date(clock.now()).toISOString();
    this.#told.push({ time, method, status: statusOf(taken), detail: lookWords(look) });
  }

  concluded(word: ExternalVerdict, detail: string | null): ExternalRecord {
    const { chain, permanent } = this.#last ?? { chain: [this.url], permanent: false };
    return {
      url: this.url,
      verdict: word === 'ok' && chain.length > 1 ? 'redirected' : word,
      status: this.#last === null ? null : statusOf(this.#last),
      chain,
      permanent,
      looks: this.#told,
      detail,
    };
  }

  /** The record of a link that is not looked at again. @param why the asking came to its end */
  leftAlone(why: string): ExternalRecord {
    const last = this.looks.at(-1);
    if (last === undefined) return this.concluded('not-asked', why);
    return this.concluded('unsure', `${lookWords(last) ?? 'no answer'}; nobody looked again: ${why}`);
  }
}

function statusOf({ answer }: TakenLook): number | null {
  return answer.kind === 'answered' || answer.kind === 'astray' ? answer.status : null;
}
