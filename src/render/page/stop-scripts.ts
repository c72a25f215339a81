import { PATIENT_STOP_PAUSE, PATIENT_STOP_TRIES, STOP_PAUSE, STOP_TIME, STOP_TRIES } from '../limits/browser-limits.ts';
import { PageEnded } from './page-ended.ts';
import type { WarmPage } from './warm-page.ts';

/**
 * Ends scripts that run without end, so that their results can be read; the page is of no use for anything else. Works
 * because the session was there before the script (design/rendering, "Hostile scripts").
 * @throws {PageEnded} where the page still does not answer
 */
export async function stopScripts(page: WarmPage, signal: AbortSignal): Promise<void> {
  const { session } = page;
  session.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => {}); // the next call says whether it helped
  const answered = session.send('Runtime.getHeapUsage');
  using stopwatch = page.browser.given.stopwatch();
  const mayAnswer = (attempt: number): boolean =>
    attempt < STOP_TRIES + PATIENT_STOP_TRIES || !stopwatch.passed(STOP_TIME) || page.isWorking;
  for (let attempt = 0; mayAnswer(attempt); attempt++) {
    session.send('Runtime.terminateExecution').catch(() => {}); // answered when it is of no interest any more
    try {
      await page.within(answered, 'ending a script', signal, attempt < STOP_TRIES ? STOP_PAUSE : PATIENT_STOP_PAUSE);
      return;
    } catch {
      signal.throwIfAborted();
      page.gone.throwIfAborted();
    }
  }
  throw new PageEnded('timed-out', 'the page hangs in a script that cannot be ended');
}
