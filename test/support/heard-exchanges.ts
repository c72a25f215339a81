/** Keeps a gate's reports of exchanges, and notes reports out of order. */
import type { ExchangeRecorder, WireAnswer, WireEnd, WireRequest } from '../../src/model/exchange.ts';

export interface HeardExchange {
  readonly request: WireRequest;
  readonly requestBody: Buffer;
  readonly answer: WireAnswer | null;
  readonly body: Buffer;
  readonly end: WireEnd | null;
}

export interface HeardExchanges extends ExchangeRecorder {
  /** In the order of their begin. */
  readonly all: readonly HeardExchange[];
  /** The exchange of this URL. @throws if there are several, or none */
  of(url: string): HeardExchange;
  /** Reports out of order; must stay empty. */
  readonly faults: readonly string[];
}

class Heard implements HeardExchange {
  readonly request: WireRequest;
  readonly #requestBody: Uint8Array[] = [];
  readonly #body: Uint8Array[] = [];
  answer: WireAnswer | null = null;
  end: WireEnd | null = null;

  constructor(request: WireRequest) {
    this.request = request;
  }

  get requestBody(): Buffer {
    return Buffer.concat(this.#requestBody);
  }

  get body(): Buffer {
    return Buffer.concat(this.#body);
  }

  addToRequest(chunk: Uint8Array): void {
    this.#requestBody.push(Uint8Array.from(chunk));
  }

  add(chunk: Uint8Array): void {
    this.#body.push(Uint8Array.from(chunk));
  }
}

export function hearExchanges(): HeardExchanges {
  const all: Heard[] = [];
  const faults: string[] = [];
  return {
    all,
    faults,
    of: (url) => {
      const [one, other] = all.filter(({ request }) => request.url === url);
      if (one === undefined || other !== undefined)
        throw new Error(`not one of ${url}: ${all.map(({ request }) => request.url).join(' ')}`);
      return one;
    },
    begin: (request) => {
      const heard = new Heard(request);
      all.push(heard);
      const insist = (holds: boolean, what: string): void => {
        if (!holds) faults.push(`${request.url}: ${what}`);
      };
      return {
        requestBody: (chunk) => {
          insist(heard.end === null, 'request after its end');
          heard.addToRequest(chunk);
        },
        answered: (answer) => {
          insist(heard.end === null && heard.answer === null, 'a second answer');
          heard.answer = answer;
        },
        body: (chunk) => {
          insist(heard.end === null && heard.answer !== null, 'a body before its head, or after its end');
          heard.add(chunk);
        },
        end: (how) => {
          insist(heard.end === null, 'a second end');
          heard.end = how;
        },
      };
    },
  };
}
