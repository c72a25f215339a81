/** What `--dry-run` prints. */
import type { CrawlPlan } from './engine.ts';
import type { Paint } from './paint.ts';
import { durationWords } from './quantity.ts';
import { safeText } from './safe-text.ts';

/** The plan as a table, without a line feed at its end. */
export function planText(plan: CrawlPlan, paint: Paint): string {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Seeds', plan.seeds],
    ['Scope', plan.scopeWords],
    ['Delay', [plan.delay === 0 ? 'none between visits of a host' : `${durationWords(plan.delay)} between visits of a host`]],
    ['Workers', [String(plan.workers)]],
    ['User-Agent', [plan.userAgent]],
    ['Browser', [plan.browser]],
    ['Redis', [plan.redis]],
    ['Folder', [plan.folder]],
  ];
  const width = Math.max(...rows.map(([title]) => title.length)) + 2;
  const lines = rows.flatMap(([title, values]) =>
    values.map((value, index) => `${paint.faint((index === 0 ? title : '').padEnd(width))}${safeText(value)}`),
  );
  return [paint.strong('Dry run: all is in order, nothing was fetched.'), '', ...lines].join('\n');
}
