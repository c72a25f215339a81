/** Page hooks: Playwright's own page, during a visit. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLog, type Log, type LogFields } from '../../src/base/log.ts';
import { seconds } from '../../src/base/units.ts';
import type { Page } from '../../src/model/page.ts';
import type { VisitOutcome } from '../../src/model/visit-outcome.ts';
import type { PageHook, PageHookCall } from '../../src/render/hooks/page-hook.ts';
import type { RenderOptions } from '../../src/render/renderer.ts';
import { FixtureServer } from './fixture-server.ts';
import { openBench, paths, type Bench } from './render-bench.ts';

/** Only a key combination shows its links, and no exploration tries that. */
const SECRETIVE = `<!doctype html><title>secretive</title><a href=/plain>p</a><p id=state>closed</p><script>
  addEventListener('keydown', (event) => {
    if (!event.ctrlKey || !event.shiftKey || event.key !== 'K') return;
    const button = document.createElement('button');
    button.textContent = 'all of them';
    button.onclick = (click) => {
      if (!click.isTrusted) return;
      document.body.style.background = 'rgb(0, 0, 255)';
      fetch('/list').then((answer) => answer.text()).then((list) => {
        document.body.insertAdjacentHTML('beforeend', list);
        setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<a href=/later>l</a>'), 100);
      });
    };
    document.body.append(button);
  });
</script>`;

let site: FixtureServer;
beforeAll(async () => {
  site = await FixtureServer.open({
    '/': SECRETIVE,
    '/again': SECRETIVE,
    '/list': (_request, response) => void setTimeout(() => response.end('<a class=shown href=/shown>s</a>'), 100),
    '/plain': '<title>plain</title><a href=/one>1</a>',
    '/cookie': (request, response) => response.end(`<title>${request.headers.cookie ?? 'none'}</title>`),
    '/dialogs': `<title>dialogs</title><button onclick="confirm('sure?');document.title='asked'">ask</button><script>alert(1)</script>`,
    '/worker':
      '<title>worker</title><iframe src=/plain></iframe><script>new Worker("/worker.js").onmessage=({data})=>{document.title=data}</script>',
    '/worker.js': (_request, response) => {
      response.setHeader('content-type', 'text/javascript');
      response.end('postMessage("told")');
    },
    '/impatient': `<title>impatient</title><button onclick="const asked=new XMLHttpRequest();asked.open('GET','/slow');asked.timeout=3000;
      asked.onload=()=>{document.title='answered'};asked.ontimeout=()=>{document.title='timed out'};asked.send()">ask</button>`,
    '/slow': (_request, response) => void setTimeout(() => response.end('slow'), 700),
    '/streaming': `<title>streaming</title><script>fetch('/endless')</script>
      <button onclick="setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<a href=/streamed>s</a>'),400)">go</button>`,
    '/endless': (_request, response) => void response.write('more to come'),
    '/long-lived': `<title>signed in</title><p>x</p><script>setInterval(()=>fetch('/poll'),30000);
      setTimeout(()=>{document.title='signed out'},15*60000)</script>`,
    '/poll': 'news',
  });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

async function showAll({ page }: PageHookCall): Promise<void> {
  await page.keyboard.press('Control+Shift+K');
  await page.getByRole('button', { name: 'all of them' }).click();
  await page.waitForSelector('a.shown');
}

const fails = (): never => {
  throw new Error('first line\nsecond');
};

async function fetchesInRoute({ page }: PageHookCall): Promise<void> {
  const failed = new Promise((_resolve, reject) => {
    void page.route('**/list', (route) => route.fetch().catch(reject));
  });
  await Promise.all([failed, page.evaluate('void fetch("/list")')]);
}

interface Failure extends LogFields {
  readonly error?: string;
}

type Stages = Pick<PageHook, 'before' | 'settled'>;

/** A renderer whose hook changes from visit to visit, with its logged failures. */
class HookBench implements AsyncDisposable {
  readonly #bench: Bench;
  readonly failures: Failure[];
  readonly #hook: { now: Stages };

  private constructor(bench: Bench, failures: Failure[], hook: { now: Stages }) {
    this.#bench = bench;
    this.failures = failures;
    this.#hook = hook;
  }

  static async open(frameControl: boolean, changes: Partial<RenderOptions> = {}): Promise<HookBench> {
    const failures: Failure[] = [];
    const hook: { now: Stages } = { now: {} };
    const settled: NonNullable<PageHook['settled']> = (call) => hook.now.settled?.(call);
    const pageHooks: readonly PageHook[] = [
      { name: 'test', matches: () => hook.now.before === undefined && hook.now.settled !== undefined, settled },
      {
        name: 'test',
        matches: () => hook.now.before !== undefined,
        before: (call) => hook.now.before?.(call),
        settled,
      },
    ];
    const warn: Log['warn'] = (event, fields = {}) => void (event === 'page hook failed' && failures.push(fields));
    const options = { pageHooks, ...changes };
    const bench = await openBench(options, { frameControl, log: { ...silentLog, warn } });
    return new HookBench(bench, failures, hook);
  }

  /** Sets the hook for the next visits. */
  use(stages: Stages): void {
    this.#hook.now = stages;
    this.failures.length = 0;
  }

  /** Messages passed to Playwright. */
  get messages(): number {
    return this.#bench.playwright()?.messages ?? Number.NaN;
  }

  get replaced(): number {
    return this.#bench.renderer.stats().pagesReplaced;
  }

  capture(path: string): Promise<Page> {
    return this.#bench.capture(site.url(path));
  }

  render(path: string): Promise<VisitOutcome> {
    return this.#bench.render(site.url(path));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bench[Symbol.asyncDispose]();
  }
}

describe.each([true, false])('with frames on demand: %s', (frameControl) => {
  let it: HookBench;
  beforeAll(async () => {
    it = await HookBench.open(frameControl, { screenshot: 'viewport' });
  });
  afterAll(async () => {
    await it[Symbol.asyncDispose]();
  });
  beforeEach(() => it.use({}));

  test('a hook shows the links of a page that shows none by itself, and the picture has them', async () => {
    const without = await it.capture('/');
    expect(paths(without, 'anchor')).toEqual(['/plain']);
    it.use({ settled: showAll });
    const page = await it.capture('/');
    expect(paths(page, 'anchor')).toEqual(['/later', '/plain', '/shown']);
    expect([without.screenshot, it.failures]).toEqual([expect.any(Uint8Array), []]);
    expect(Buffer.from(page.screenshot ?? []).equals(Buffer.from(without.screenshot ?? []))).toBe(false);
  });

  test('the clock of the page runs no faster than that of a reader while a hook works', async () => {
    const before = site.asked.length;
    it.use({ settled: ({ page }) => page.waitForTimeout(1000) });
    expect((await it.capture('/long-lived')).title).toBe('signed in');
    expect(site.asked.slice(before).filter((line) => line === 'GET /poll')).toEqual([]);
    expect(it.failures).toEqual([]);
  });

  test('a page that hooks have used is used again, and hooks work on two pages at once', async () => {
    it.use({ settled: showAll });
    const { replaced } = it;
    const pages = await Promise.all([it.capture('/'), it.capture('/again')]);
    const again = await it.capture('/');
    expect([it.failures, it.replaced]).toEqual([[], replaced]);
    for (const page of [...pages, again]) expect(paths(page, 'anchor')).toEqual(['/later', '/plain', '/shown']);
  });

  test('evaluates, waits, takes pictures, reads the context, and adds links', async () => {
    const seen: unknown[] = [];
    it.use({
      settled: async ({ page, context, visit, addLink, log }) => {
        seen.push(await page.evaluate('document.title'), page.url() === visit.url, context.pages().length);
        seen.push((await page.screenshot()).length > 100, await page.locator('#state').textContent());
        await page.waitForFunction('performance.now() > 10');
        await page.waitForTimeout(50);
        log.info('seen');
        addLink('/added?b=1', { text: ' by \n hand ' });
      },
    });
    const page = await it.capture('/');
    expect([seen, it.failures]).toEqual([['secretive', true, 1, true, 'closed'], []]);
    expect(page.foundLinks.filter(({ kind }) => kind === 'hook')).toMatchObject([
      { href: '/added?b=1', base: site.url('/'), text: 'by hand', context: 'hook test', confidence: 'high' },
    ]);
  });

  test('before the navigation it sets cookies and scripts, which its visit alone has', async () => {
    it.use({
      before: async ({ page, context, visit }) => {
        await context.addCookies([{ name: 'who', value: 'me', url: new URL(visit.url).origin }]);
        await page.addInitScript('document.addEventListener("DOMContentLoaded", () => { document.title += " seen" })');
      },
    });
    const { replaced } = it;
    expect((await it.capture('/cookie')).title).toBe('who=me seen');
    expect([it.failures, it.replaced]).toEqual([[], replaced + 1]);
    it.use({});
    expect((await it.capture('/cookie')).title).not.toContain('seen');
  });

  test('where it wanted to go is a link', async () => {
    it.use({ settled: ({ page }) => page.goto(site.url('/plain?x')).catch(() => {}) });
    const page = await it.capture('/');
    expect(page.foundLinks.filter(({ kind }) => kind === 'navigation').map(({ href }) => href)).toEqual([
      site.url('/plain?x'),
    ]);
  });

  test.each([
    ['closes the page', ({ page }) => page.close(), 'the page was closed'],
    ['closes the context', ({ context }) => context.close(), 'the page was closed'],
    ['leaves the page', ({ page }) => page.goto('about:blank'), 'it left the page'],
  ] as readonly (readonly [string, NonNullable<PageHook['settled']>, string])[])(
    'the visit of one that %s ends as that of a page that has crashed, and the next one is whole',
    async (_what, settled, error) => {
      it.use({ settled });
      expect(await it.render('/')).toMatchObject({ kind: 'crashed', detail: expect.stringContaining(error) as string });
      expect(it.failures).toMatchObject([{ error }]);
      it.use({});
      expect((await it.capture('/plain')).title).toBe('plain');
    },
  );

  test('dialogs, workers and frames go on as without a hook', async () => {
    it.use({
      before: ({ page }) => void page.on('dialog', (dialog) => dialog.accept()),
      settled: async ({ page }) => {
        if (!page.url().includes('dialogs')) return;
        await page.getByText('ask').click();
        await page.waitForFunction('document.title === "asked"');
      },
    });
    expect((await it.capture('/dialogs')).title).toBe('asked');
    const worker = await it.capture('/worker');
    expect([worker.title, paths(worker, 'anchor')]).toEqual(['told', ['/one']]);
    expect(it.failures).toEqual([]);
  });

  test('requests that a hook causes keep the time that the page gives them', async () => {
    it.use({
      settled: async ({ page }) => {
        await page.getByText('ask').click();
        await page.waitForFunction('document.title !== "impatient"');
      },
    });
    expect((await it.capture('/impatient')).title).toBe('answered');
    expect(it.failures).toEqual([]);
  });

  test('an answer without end does not stop the clock of the page', async () => {
    it.use({
      settled: async ({ page }) => {
        await page.getByText('go').click();
        await page.waitForSelector('a');
      },
    });
    expect(paths(await it.capture('/streaming'), 'anchor')).toEqual(['/streamed']);
    expect(it.failures).toEqual([]);
  });
});

describe.each([true, false])('with frames on demand: %s, and three seconds for a hook,', (frameControl) => {
  let it: HookBench;
  beforeAll(async () => {
    it = await HookBench.open(frameControl, { hookTime: seconds(3) });
  });
  afterAll(async () => {
    await it[Symbol.asyncDispose]();
  });

  test.each([
    ['throws', fails, /^first line$/, 0],
    ['misses an element', ({ page }) => page.click('#nowhere'), /^page\.click: Timeout 1500ms exceeded/, 0],
    ['hangs', () => new Promise(() => {}), /^the hook did not answer within 3000 ms$/, 1],
    ['makes the page hang', ({ page }) => page.evaluate('while (1);'), /^the hook did not answer within/, 1],
    ['navigates away', ({ page }) => page.goto(site.url('/plain')), /^page\.goto: net::ERR_ABORTED/, 0],
    ['opens a page', ({ context }) => context.newPage(), /^it tried to open a page/, 0],
    ['opens one elsewhere', ({ context }) => context.browser()?.newPage(), /no page is opened here/, 0],
    ['asks by itself', ({ page }) => page.request.get(site.url('/list')), /requests leave through pages alone/, 0],
    ['fetches in a route', fetchesInRoute, /requests leave through pages alone/, 1],
  ] as readonly (readonly [string, NonNullable<PageHook['settled']>, RegExp, number])[])(
    'one that %s costs a line of the log, and not the visit',
    async (_what, settled, error, more) => {
      it.use({ settled });
      const { replaced } = it;
      const asked = site.asked.length;
      const page = await it.capture('/');
      expect(paths(page, 'anchor')).toEqual(['/plain']);
      expect(it.failures[0]).toMatchObject({ hook: 'test', stage: 'settled', url: site.url('/') });
      expect(it.failures[0]?.error).toMatch(error);
      expect(it.replaced).toBe(replaced + more);
      expect(site.asked.slice(asked)).not.toContain('GET /plain');
    },
  );
});

test('a page for which there is no hook is not handed to Playwright, and no message about it is', async () => {
  await using it = await HookBench.open(true);
  await it.capture('/');
  const { messages } = it;
  await it.capture('/plain');
  await it.capture('/');
  expect(it.messages).toBe(messages);
  it.use({ settled: () => {} });
  await it.capture('/plain');
  expect(it.messages).toBeGreaterThan(messages);
});

test('the time of a hook ends with that of its visit', async () => {
  await using it = await HookBench.open(true, { hookTime: seconds(60), pageTimeout: seconds(5) });
  it.use({ settled: () => new Promise(() => {}) });
  const page = await it.capture('/');
  expect(page.title).toBe('secretive');
  expect(it.failures).toMatchObject([{ error: expect.stringMatching(/^the hook did not answer within 1\d\d\d/) }]);
  expect(page.timing.total).toBeLessThan(30_000); // the hook alone may take sixty seconds
});
