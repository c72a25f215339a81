import type { DevToolsSession } from '../../../browsers/protocol/session.ts';

/** Refuses sockets by a rule that puts them off line: `new WebSocket` heeds no `Network.setBlockedURLs` (Chromium 156). */
export async function refuseSockets(session: DevToolsSession, refused: boolean): Promise<void> {
  const rule = { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  const rules = ['ws://*:*/*', 'wss://*:*/*'].map((urlPattern) => ({ ...rule, urlPattern }));
  await session.send('Network.emulateNetworkConditionsByRule', { matchedNetworkConditions: refused ? rules : [] });
}
