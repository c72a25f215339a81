/** The HTML report of an audit in a real browser: it is usable, and no content of a crawled page becomes active in it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserEnvironment, findBrowser } from '../../browsers/launch/find-browser.ts';
import type { AuditResult } from '../../src/model/finding.ts';
import { htmlReport } from '../../src/report/html/html-report.ts';
import { auditOf, reportOf, withHostileTexts } from '../support/audit-results.ts';

const small = auditOf({ pages: 120, findings: 400 });
let folder: string;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orbweaver-report-'));
  const environment = browserEnvironment(process.env, process.platform, homedir());
  const found = await findBrowser({ asked: null, environment }, new AbortController().signal);
  if (found.kind === 'endpoint') throw new Error('a browser of this machine is needed');
  browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: process.getuid?.() !== 0 });
});
afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

interface Opened extends AsyncDisposable {
  readonly page: Page;
  /** Events besides the page itself: errors, dialogs, requests. */
  readonly events: readonly string[];
}

async function open(result: AuditResult, options: BrowserContextOptions = {}): Promise<Opened> {
  const path = join(folder, 'index.html');
  await writeFile(path, htmlReport(reportOf(result), '..'));
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const events: string[] = [];
  page.on('console', (message) => events.push(message.text()));
  page.on('pageerror', (error) => events.push(error.message));
  page.on('dialog', (dialog) => {
    events.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== pathToFileURL(path).href) events.push(request.url());
  });
  await page.goto(pathToFileURL(path).href);
  return { page, events, [Symbol.asyncDispose]: () => context.close() };
}

describe('the report page', () => {
  it('searches, filters and orders findings and pages, and goes back to the groups', async () => {
    await using opened = await open(small);
    const { page, events } = opened;
    const items = page.locator('#finding-list .item');
    await page.locator('#finding-filter [name=severity]').selectOption('error');
    await expect.poll(() => items.count()).toBe(50);
    expect(new Set(await items.locator('.chip').allTextContents())).toEqual(new Set(['error']));
    const [first] = small.findings;
    await page.locator('#finding-filter [name=text]').fill(first?.message ?? '');
    await expect
      .poll(() => items.count())
      .toBe(small.findings.filter(({ message }) => message === first?.message).length);
    expect(await items.first().locator('.message').textContent()).toBe(first?.message);
    await page.locator('#finding-filter button').click();
    await expect.poll(() => page.locator('#finding-groups').isVisible()).toBe(true);

    await page.locator('#page-table th button', { hasText: 'Weight' }).click();
    const heaviest = small.pages.toSorted((one, other) => (other.bytes ?? 0) - (one.bytes ?? 0))[0];
    expect(await page.locator('#page-table tbody tr').first().locator('a').getAttribute('href')).toBe(heaviest?.url);
    await page.locator('#page-filter [name=show]').selectOption('not-judged');
    await expect
      .poll(() => page.locator('#page-table tbody tr').count())
      .toBe(small.pages.filter(({ judged }) => judged !== true).length);
    expect(events).toEqual([]);
  });

  it('is readable without scripts: every rule can be opened, and no control is there that does nothing', async () => {
    await using opened = await open(small, { javaScriptEnabled: false });
    const { page } = opened;
    const rules = new Set(small.findings.map(({ rule }) => rule));
    expect(await page.locator('#finding-groups details').count()).toBe(rules.size);
    await page.locator('#finding-groups summary').first().click();
    expect(await page.locator('#finding-groups .finding').first().isVisible()).toBe(true);
    expect(await page.locator('button:visible, input:visible, select:visible').count()).toBe(0);
    expect(await page.locator('#page-table tbody tr').count()).toBe(50);
  });

  it('keeps the place of the keyboard where a list turns over, and where all of a group are shown', async () => {
    await using opened = await open(small);
    const { page } = opened;
    const focused = `document.activeElement.textContent`;
    await page.locator('#page-more button', { hasText: 'Next' }).focus();
    for (const shown of ['26 to 50 of 120', '51 to 75 of 120']) {
      await page.keyboard.press('Enter');
      expect(await page.locator('#page-more .pager span').textContent()).toBe(shown);
      expect(await page.evaluate(focused)).toBe('Next');
    }
    for (const shown of ['76 to 100 of 120', '101 to 120 of 120']) {
      await page.keyboard.press('Enter');
      expect(await page.locator('#page-more .pager span').textContent()).toBe(shown);
    }
    expect(await page.evaluate(focused)).toBe('Back'); // there is no next one
    await page.locator('#finding-groups summary').first().click();
    await page.locator('#finding-groups button.all').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('finding-list');
  });

  it('has its findings on paper, with and without scripts, and is folded again behind that', async () => {
    const hidden = `[...document.querySelectorAll('#finding-groups .finding')].filter((each) => each.checkVisibility({ contentVisibilityAuto: true }) === false || each.getBoundingClientRect().height === 0).length`;
    for (const javaScriptEnabled of [true, false]) {
      await using opened = await open(small, { javaScriptEnabled });
      const { page } = opened;
      expect(await page.evaluate(hidden)).toBeGreaterThan(0);
      await page.emulateMedia({ media: 'print' });
      // the browser unlocks what it had not laid out with the next frame
      await expect.poll(() => page.evaluate(hidden)).toBe(0);
    }
    await using opened = await open(small);
    const { page } = opened;
    const openOnes = `[...document.querySelectorAll('details')].filter((each) => each.open).length`;
    await page.locator('#finding-groups summary').first().click();
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await page.evaluate(openOnes)).toBe(await page.locator('details').count());
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    expect(await page.evaluate(openOnes)).toBe(1);
  });

  it.each([360, 800, 1400])(
    'is no wider than a window of %d pixels, in light and dark, with addresses of any length',
    async (width) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await using opened = await open(withHostileTexts(small), { viewport: { width, height: 800 }, colorScheme });
        const { page } = opened;
        await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
        await page.locator('#finding-filter [name=order]').selectOption('url');
        await expect.poll(() => page.locator('#finding-list .item').count()).toBe(50);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      }
    },
  );

  it('lets nothing of a crawled page run, load or lead anywhere but to the web', async () => {
    await using opened = await open(withHostileTexts(small));
    const { page, events } = opened;
    await page.locator('#finding-filter [name=text]').fill('script');
    await expect.poll(() => page.locator('#finding-list .item').count()).toBe(50);
    expect(events).toEqual([]);
    const strange = `[...document.querySelectorAll('a[href]')].filter((each) => !/^(?:https?:|#)/.test(each.getAttribute('href'))).length
      + document.images.length + document.querySelectorAll('iframe, object, embed, base').length
      + [...document.querySelectorAll('*')].filter((each) => [...each.attributes].some(({ name }) => name.startsWith('on'))).length`;
    expect(await page.evaluate(strange)).toBe(0);
    expect(await page.evaluate('document.scripts.length')).toBe(2);
  });

  it('would not run a script that stood in it all the same', async () => {
    await using opened = await open(small);
    const { page, events } = opened;
    const insert = `const made = document.createElement('script'); made.append('document.title = "ran"'); document.body.append(made)`;
    await page.evaluate(insert).catch(() => null);
    await page
      .evaluate(`document.body.setAttribute('onclick', 'document.title = "ran"'); document.body.click()`)
      .catch(() => null);
    expect(await page.title()).toBe('Audit of example.org');
    expect(events.join()).toMatch(/Content Security Policy|Trusted/i);
  });
});
