/** Opens the books of a run: the growing files, the tally of their lines, and the first entries of the frontier. */
import { after, milliseconds } from '../../base/units.ts';
import type { CrawlFolder } from '../../crawl-folder/crawl-folder.ts';
import { JournalFiles } from '../../crawl-folder/journal-files.ts';
import { MOST_DEATHS } from '../../dispatch/visit-permission.ts';
import type { Frontier } from '../../frontier/frontier.ts';
import { countsForLimit } from '../../model/record.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import { USUAL_PACE } from '../../options/politeness-options.ts';
import type { ContextParts } from '../opening/context-parts.ts';
import type { CrawlContext } from '../crawl-context.ts';
import type { CrawlPlan } from '../crawl-plan.ts';
import { countFolder, createTally, pagesForLimit } from '../summary/tally.ts';

/** The growing files, cut to the length that the frontier knows to be whole, and the counts of entries in them or on their way there. */
export async function openBooks(
  plan: CrawlPlan,
  frontier: Frontier,
  folder: CrawlFolder,
  { disposal, notes }: ContextParts,
): Promise<Pick<CrawlContext, 'journalFiles' | 'tally' | 'pagesBefore'>> {
  const position = await frontier.journalPosition();
  const files = await JournalFiles.open(folder.path, position?.lengths ?? {});
  disposal.use(files);
  for (const name of files.shortened)
    notes.say(`${name} is shorter than it was when the crawl was interrupted: lines of it are lost`);
  const tally = createTally();
  if (plan.resumed === null) return { journalFiles: files, tally, pagesBefore: 0 };
  await countFolder(folder.path, tally);
  const onTheWay = (await frontier.unwritten()).filter(
    ({ page }) => page !== null && page.again !== true && countsForLimit(page.outcome),
  ).length;
  return { journalFiles: files, tally, pagesBefore: pagesForLimit(tally) + onTheWay };
}

/** A new crawl begins with its seeds and the user's sitemaps; a resumed one takes back the visits that were under way when it was interrupted. */
export async function startBooks(
  plan: CrawlPlan,
  frontier: Frontier,
  { seeds, sitemaps }: { readonly seeds: readonly CanonicalUrl[]; readonly sitemaps: readonly CanonicalUrl[] },
  { clock, notes }: Pick<ContextParts, 'clock' | 'notes'>,
): Promise<void> {
  const now = clock.now();
  if (plan.resumed !== null) {
    const longest = Math.max(plan.options.delay ?? USUAL_PACE.delay, 0);
    // a run that ended by itself has recorded that
    // and the death of a controller without slots is no page's fault
    const { state, options } = plan.resumed;
    const before = state === 'running' && options['workers'] !== 0 ? 'died' : 'ended';
    const { suspects } = await frontier.reclaim(before, now, after(now, milliseconds(longest)));
    if (suspects.length > 0) notes.say(suspectsNote(suspects));
  }
  const start = { depth: 0, redirects: 0, hops: 0, referrer: null, confidence: 'high' } as const;
  const known = new Set(seeds); // a list has thousands, and each host a sitemap
  const candidates = [
    ...seeds.map((url) => ({ ...start, url, kind: 'seed' }) as const),
    ...sitemaps.filter((url) => !known.has(url)).map((url) => ({ ...start, url, kind: 'sitemap' }) as const),
  ];
  await frontier.admit(candidates, [], now);
}

/** Pages that a note names one by one. */
const NAMED_SUSPECTS = 5;

function suspectsNote(suspects: readonly CanonicalUrl[]): string {
  const others = suspects.length > NAMED_SUSPECTS ? `, and ${suspects.length - NAMED_SUSPECTS} more` : '';
  const pages = suspects.length === 1 ? 'this page was' : `these ${suspects.length} pages were`;
  const names = suspects.slice(0, NAMED_SUSPECTS).join(', ');
  return `the program ended suddenly while ${pages} visited; such pages are visited alone, and no more after ${MOST_DEATHS} such ends: ${names}${others}`;
}
