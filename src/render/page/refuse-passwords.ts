import type { DevToolsSession } from '../../../browsers/protocol/session.ts';

/** Declines the browser's password dialogs: the answer 401 is taken as it is. Our own proxy has its credential already. */
export function refusePasswords(session: DevToolsSession): void {
  session.on('Fetch.authRequired', ({ requestId, authChallenge: { source } }) => {
    const response = source === 'Proxy' ? 'Default' : 'CancelAuth';
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: { response } }).catch(() => {}); // it is gone
  });
}
