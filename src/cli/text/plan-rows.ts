/** The plan of a crawl: what the options decide before anything is fetched. */
import { counted } from '../../base/count-words.ts';
import { sizeWords } from '../../base/size-words.ts';
import { withoutPassword } from '../../crawl/folder/crawl-json.ts';
import type { CrawlPlan } from '../../crawl/crawl-plan.ts';
import { withoutUpstreamCredential } from '../../model/upstream-proxy.ts';
import { USER_AGENT_PRODUCT } from '../../options/identity.ts';
import { USUAL_PACE } from '../../options/politeness-options.ts';
import { durationWords } from '../terminal/quantity.ts';
import type { Row } from '../terminal/rows.ts';
import { safeText } from '../terminal/safe-text.ts';
import { nearPath } from '../shell.ts';

/** The plan as rows. @param from the folder that the user is in */
export function planRows(plan: CrawlPlan, from: string): readonly Row[] {
  const { options, seeds, workers, folder, axe } = plan;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [
      'Seeds',
      seeds.map((seed) => (seed.kind === 'url' ? seed.url : `${nearPath(seed.folder, from)} (served on loopback)`)),
    ],
    ['Scope', scopeWords(plan)],
    ['Delay', [delayWords(plan)]],
    [
      'Robots',
      [options.robots ? `robots.txt is obeyed, as ${options.robotsAgent ?? 'Orbweaver'}` : 'robots.txt is not asked'],
    ],
    ['Workers', [String(workers)]],
    ['User-Agent', [userAgentWords(plan)]],
    ['Browser', [browserWords(plan)]],
    ...(options.proxy === undefined ? [] : [['Proxy', [withoutUpstreamCredential(options.proxy)]] as const]),
    ['Redis', [redisWords(options)]],
    ['Snapshot', [options.snapshot.length === 0 ? 'none' : options.snapshot.join(', ')]],
    ...(axe === null ? [] : [['Accessibility', [axeWords(axe.version, options)]] as const]),
    ...(options.measure
      ? [['Paint', ['measured when the crawl has ended: one page of each template, three loads']] as const]
      : []),
    ['Folder', [nearPath(folder, from)]],
  ];
  return rows.map(([title, values]) => ({ title, lines: values.map(safeText) }));
}

function scopeWords({ options }: CrawlPlan): readonly string[] {
  const { scope, include, exclude, extraHops, depth, limit, hostLimit, timeLimit, sizeLimit } = options;
  return [
    scope,
    ...include.map((source) => `only URLs that match ${source}`),
    ...exclude.map((source) => `no URLs that match ${source}`),
    ...(extraHops > 0 ? [`and ${counted(extraHops, 'link')} beyond it`] : []),
    ...(depth === undefined ? [] : [`at most ${counted(depth, 'link')} from a seed`]),
    ...(limit === undefined ? [] : [`at most ${counted(limit, 'page')}`]),
    ...(hostLimit === undefined ? [] : [`at most ${counted(hostLimit, 'page')} of a host`]),
    ...(timeLimit === undefined ? [] : [`at most ${durationWords(timeLimit)}`]),
    ...(sizeLimit === undefined ? [] : [`at most ${sizeWords(sizeLimit)} on the disk`]),
  ];
}

function delayWords({ options, hostConcurrency }: CrawlPlan): string {
  const { delay } = options;
  const words = delay === undefined ? `${durationWords(USUAL_PACE.delay)} (none on loopback)` : durationWords(delay);
  return `${words} between visits of a host, ${hostConcurrency} at a time`;
}

function axeWords(version: string, { axe }: CrawlPlan['options']): string {
  const pages = axe === 'template' ? 'one page of each template' : 'all pages';
  return `axe-core ${version} on ${pages}; every page is rendered`;
}

function userAgentWords({ options }: CrawlPlan): string {
  const own = options.userAgent ?? `the browser's, with ${USER_AGENT_PRODUCT}`;
  return options.userAgentSuffix === undefined ? own : `${own}, and ${options.userAgentSuffix}`;
}

function browserWords({ browser, options }: CrawlPlan): string {
  if (browser === null) return 'none (--render never)';
  if (browser.kind === 'executable') return `${browser.path} (${browser.source})`;
  return `${browser.url} (${browser.protocol}${options.ungatedBrowser ? ', ungated: past the proxy' : ''})`;
}

function redisWords({ redis, redisCluster }: CrawlPlan['options']): string {
  if (redis === undefined) return 'a private one, for this crawl only';
  return redisCluster ? `the cluster of ${withoutPassword(redis)}` : withoutPassword(redis);
}
