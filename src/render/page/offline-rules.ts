/** Puts a page off line by rules of the browser: its sockets, or everything that it asks for. */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';

type Refused = 'sockets' | 'everything';

/** `new WebSocket` heeds no `Network.setBlockedURLs` (Chromium 156). */
const PATTERNS: Readonly<Record<Refused, readonly string[]>> = {
  sockets: ['ws://*:*/*', 'wss://*:*/*'],
  everything: [''],
};

export class OfflineRules {
  readonly #ruled = new Map<DevToolsSession, Refused>();

  /** Refuses requests of a session's pages and workers until {@link clear}. */
  refuse(session: DevToolsSession, what: Refused): void {
    const ruled = this.#ruled.get(session);
    if (ruled === what || ruled === 'everything') return;
    this.#ruled.set(session, what);
    rule(session, what).catch(() => {}); // it has gone by itself
  }

  /** Ends the rules of all sessions. */
  clear(): void {
    for (const session of this.#ruled.keys()) rule(session, null).catch(() => {}); // it may be gone
    this.#ruled.clear();
  }

  /**
   * Forbids the pages of a session to open further sockets, or allows it again.
   * @throws where the browser knows no such rules
   */
  async refuseSockets(session: DevToolsSession, refused: boolean): Promise<void> {
    if (this.#ruled.get(session) !== 'everything') await rule(session, refused ? 'sockets' : null);
  }
}

async function rule(session: DevToolsSession, refused: Refused | null): Promise<void> {
  const offline = { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  const patterns = refused === null ? [] : PATTERNS[refused];
  const matchedNetworkConditions = patterns.map((urlPattern) => ({ ...offline, urlPattern }));
  await session.send('Network.emulateNetworkConditionsByRule', { matchedNetworkConditions });
}
