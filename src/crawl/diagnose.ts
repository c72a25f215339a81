/** The checks of `orbweaver doctor`: the machine, and a browser as a crawl would use it. */
import { diagnoseMachine } from '../../browsers/launch/diagnose.ts';
import { silentLog } from '../base/log.ts';
import { seconds } from '../base/units.ts';
import { openEgress } from '../egress/open-egress.ts';
import { diagnoseAxe } from '../render/axe/diagnose-axe.ts';
import { diagnoseConsent } from '../render/consent/diagnose-consent.ts';
import type { CrawlEnvironment } from './crawl-environment.ts';

/** Time limits of a gate that nothing is requested through. */
const TRIAL_LIMIT = seconds(1);

/** @param browser as the option takes it; null: the one that a crawl would find */
export async function diagnose(
  { browsers }: CrawlEnvironment,
  browser: string | null,
): Promise<Awaited<ReturnType<typeof diagnoseMachine>>> {
  const limits = { connectTimeout: TRIAL_LIMIT, resolveTimeout: TRIAL_LIMIT };
  await using gate = await openEgress({ grants: [], closedPorts: [], ...limits }, { log: silentLog });
  return [...(await diagnoseMachine({ browsers, asked: browser, gate })), await diagnoseConsent(), await diagnoseAxe()];
}
