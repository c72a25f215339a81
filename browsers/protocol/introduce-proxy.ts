import type { ProxyCredential } from './proxy-credential.ts';
import type { DevToolsSession, EventOf } from './session.ts';

const CANCELLED = { response: 'CancelAuth' as const };
/** The error of a navigation that is answered with 204. */
const NO_DOCUMENT = 'net::ERR_ABORTED';

/**
 * Makes the proxy ask a fresh storage for the credential. From then on the browser sends it with every request of this storage to
 * the proxy, of pages, workers and sockets alike; none of these requests waits for us.
 * @param session of a page of that storage, which has loaded nothing yet
 * @param greeting URL that the proxy answers with 204
 * @throws where the storage did not take the credential, or the proxy was not reached
 */
export async function introduceProxy(
  session: DevToolsSession,
  { username, password }: Pick<ProxyCredential, 'username' | 'password'>,
  greeting: string,
): Promise<void> {
  const asked = new Set<string>();
  const letGo = ({ requestId }: EventOf<'Fetch.requestPaused'>): void => {
    session.send('Fetch.continueRequest', { requestId }).catch(() => {}); // the navigation reports the failure
  };
  const answer = ({ requestId, authChallenge }: EventOf<'Fetch.authRequired'>): void => {
    const again = asked.has(requestId);
    asked.add(requestId);
    const known = authChallenge.source === 'Proxy' && !again;
    const reply = known ? { response: 'ProvideCredentials' as const, username, password } : CANCELLED;
    session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: reply }).catch(() => {});
  };
  session.on('Fetch.requestPaused', letGo);
  session.on('Fetch.authRequired', answer);
  const [, { errorText = 'not refused' }] = await Promise.all([
    session.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: greeting }] }),
    session.send('Page.navigate', { url: greeting }),
  ]);
  await session.send('Fetch.disable');
  session.off('Fetch.requestPaused', letGo);
  session.off('Fetch.authRequired', answer);
  if (errorText !== NO_DOCUMENT) throw new Error(`the proxy did not take the credential: ${errorText}`);
}
