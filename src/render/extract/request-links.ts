/** Turns the requests of a page's scripts to the network into links. Pure. */
import type { FoundLink } from '../../model/link.ts';
import type { WatchedRequest } from '../page/watched-request.ts';
import { bareLink, type FoundIn } from './found-links.ts';

/** Classes of requests that only scripts make, with their names in links. */
const SCRIPTED: Readonly<Record<string, string>> = {
  fetch: 'fetch',
  xhr: 'xhr',
  eventsource: 'eventsource',
  websocket: 'websocket',
  ping: 'beacon',
};
/** A worker has no frame: its requests are for imported scripts. */
const IMPORTED: ReadonlySet<string> = new Set(['script', 'other']);
/** Parts of a page that a script may ask for; a part that the markup names, too, is the markup's. */
const PARTS: ReadonlySet<string> = new Set(['image', 'media', 'texttrack', 'manifest']);

/** The place where the requests of a visit were seen. */
export interface AskedOn {
  /** As for a link of the page itself. */
  readonly where: FoundIn;
  /** Id of the main frame. */
  readonly frameId: string;
  /** URLs of the frames below it, by their ids. */
  readonly frames: ReadonlyMap<string, string>;
  /** Does the markup name this URL? */
  readonly isKnown: (url: string) => boolean;
}

export function requestLinks(requests: readonly WatchedRequest[], asked: AskedOn): readonly FoundLink[] {
  const { where, frames, frameId } = asked;
  return requests.flatMap((request) => {
    const context = contextOf(request, asked.isKnown);
    if (context === null) return [];
    const frame =
      request.frameId === null || request.frameId === frameId ? null : (frames.get(request.frameId) ?? null);
    return [bareLink(request.url, { kind: 'request', context }, { ...where, frame })];
  });
}

/** Null for a request that no script made, or that the markup names already. */
function contextOf(request: WatchedRequest, isKnown: (url: string) => boolean): string | null {
  const { type, method, initiator, frameId, url } = request;
  if (!/^(?:https?|wss?):/.test(url)) return null;
  const scripted = SCRIPTED[type];
  if (scripted !== undefined)
    return method === 'GET' || type === 'ping' ? scripted : `${scripted} ${method.slice(0, 20)}`;
  if (frameId === null && initiator === 'script' && IMPORTED.has(type)) return 'import';
  // the browser itself loads the script of a worker or of a worklet, for the page that started it
  if (type === 'script' && initiator === 'other') return isKnown(url) ? null : 'worker';
  if (type === 'script') return initiator !== 'script' || isKnown(url) ? null : 'import';
  // for a picture the browser names the document as the initiator, also where a script asked for it
  return PARTS.has(type) && !isKnown(url) ? type : null;
}
