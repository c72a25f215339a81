/** Made-up audits that resemble those of real sites, the same for the same seed. */
import { createHash } from 'node:crypto';
import { seededRandom, type Random } from '../../src/base/random.ts';
import { judgeAudit, type Demands, type AuditVerdict } from '../../src/core/gates/verdict.ts';
import {
  SEVERITIES,
  type AuditedPage,
  type AuditResult,
  type Evidence,
  type Finding,
  type NotJudgedReason,
  type RuleInfo,
} from '../../src/model/finding.ts';
import type { AuditReport } from '../../src/report/audit-report.ts';

type RuleRow = readonly [
  id: string,
  severity: RuleInfo['severity'],
  category: RuleInfo['category'],
  title: string,
  why: string,
  fix: string,
  source: readonly [string, string],
];

const RULE_ROWS: readonly RuleRow[] = [
  [
    'broken-link',
    'error',
    'links',
    'Link to a page that does not exist',
    'Visitors who follow it land on an error page.',
    'Correct the address, or remove the link.',
    ['RFC 9110, 15.5.5', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5'],
  ],
  [
    'broken-image',
    'error',
    'links',
    'Picture that is not there',
    'The page shows a gap or its alternative text.',
    'Upload the file, or correct the address in the markup.',
    ['HTML, img', 'https://html.spec.whatwg.org/#the-img-element'],
  ],
  [
    'redirect-chain',
    'warning',
    'links',
    'Link over several redirects',
    'Each redirect costs a round trip before the page begins.',
    'Link to the address at the end.',
    ['RFC 9110, 15.4', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.4'],
  ],
  [
    'missing-fragment',
    'notice',
    'links',
    'Link to a place that its page does not have',
    'The browser shows the top of the page instead.',
    'Give the target an id, or correct the fragment.',
    ['HTML, fragments', 'https://html.spec.whatwg.org/#scroll-to-fragid'],
  ],
  [
    'missing-title',
    'error',
    'documents',
    'Page without a title',
    'Tabs, bookmarks and results of searches show the address instead.',
    'Give the page a title of its own.',
    ['HTML, title', 'https://html.spec.whatwg.org/#the-title-element'],
  ],
  [
    'missing-description',
    'notice',
    'documents',
    'Page without a description',
    'Search engines choose a passage themselves.',
    'Write one or two sentences into meta description of the template.',
    ['Google Search Central', 'https://developers.google.com/search/docs/appearance/snippet'],
  ],
  [
    'duplicate-title',
    'warning',
    'documents',
    'Pages that share a title',
    'Nobody can tell them apart in a list of results.',
    'Name in the title what distinguishes the page.',
    ['Google Search Central', 'https://developers.google.com/search/docs/appearance/title-link'],
  ],
  [
    'missing-language',
    'warning',
    'documents',
    'Document that does not name its language',
    'Screen readers pronounce it by the rules of another one.',
    'Write lang into the html element of the template.',
    ['WCAG 3.1.1', 'https://www.w3.org/WAI/WCAG22/Understanding/language-of-page'],
  ],
  [
    'script-error',
    'error',
    'behaviour',
    'Script that throws while the page loads',
    'What the script was to do does not happen.',
    'Open the page with the console and follow the stack.',
    ['HTML, runtime errors', 'https://html.spec.whatwg.org/#runtime-script-errors'],
  ],
  [
    'failed-request',
    'warning',
    'behaviour',
    'Request of a page that fails',
    'A part of the page is missing.',
    'Find out who asks for it, and remove or correct the request.',
    ['Fetch', 'https://fetch.spec.whatwg.org/'],
  ],
  [
    'mixed-content',
    'error',
    'security',
    'Part that is loaded without encryption',
    'Browsers block it, or anybody on the way may change it.',
    'Load it over https.',
    ['Mixed Content', 'https://www.w3.org/TR/mixed-content/'],
  ],
  [
    'missing-hsts',
    'warning',
    'security',
    'Answer without Strict-Transport-Security',
    'A first visit over http may be diverted.',
    'Send the header with max-age of at least half a year.',
    ['RFC 6797', 'https://www.rfc-editor.org/rfc/rfc6797'],
  ],
  [
    'cookie-without-httponly',
    'notice',
    'security',
    'Cookie that scripts may read',
    'A script that is injected may take a session away.',
    'Set HttpOnly where no script of yours reads it.',
    ['RFC 6265', 'https://www.rfc-editor.org/rfc/rfc6265'],
  ],
  [
    'heavy-page',
    'warning',
    'weight',
    'Page of more than 4 MB',
    'On a telephone it takes many seconds.',
    'Shrink pictures, and load scripts only where they are used.',
    ['HTTP Archive', 'https://httparchive.org/reports/page-weight'],
  ],
  [
    'unsized-image',
    'notice',
    'weight',
    'Picture without its size in the markup',
    'The text jumps when it arrives.',
    'Write width and height into the element.',
    ['web.dev, CLS', 'https://web.dev/articles/cls'],
  ],
  [
    'image-without-alt',
    'error',
    'accessibility',
    'Picture without an alternative text',
    'Who does not see it learns nothing of it.',
    'Describe it in alt, or leave alt empty where it only decorates.',
    ['WCAG 1.1.1', 'https://www.w3.org/WAI/WCAG22/Understanding/non-text-content'],
  ],
  [
    'field-without-label',
    'error',
    'accessibility',
    'Form field without a label',
    'Screen readers say “edit text” and nothing more.',
    'Join a label element to it.',
    ['WCAG 1.3.1', 'https://www.w3.org/WAI/WCAG22/Understanding/info-and-relationships'],
  ],
  [
    'low-contrast',
    'warning',
    'accessibility',
    'Text with too little contrast',
    'It is hard to read in sunlight and for many people.',
    'Darken the text or lighten its background.',
    ['WCAG 1.4.3', 'https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum'],
  ],
  [
    'sitemap-lists-missing-page',
    'warning',
    'site',
    'Sitemap that names a page that is not there',
    'Search engines spend visits on nothing.',
    'Take it out of the sitemap.',
    ['sitemaps.org', 'https://www.sitemaps.org/protocol.html'],
  ],
  [
    'robots-blocks-resources',
    'notice',
    'site',
    'robots.txt forbids parts that pages need',
    'Search engines do not see the page as people do.',
    'Allow scripts and style sheets.',
    ['RFC 9309', 'https://www.rfc-editor.org/rfc/rfc9309'],
  ],
  [
    'orphan-page',
    'notice',
    'site',
    'Page that no other page links to',
    'People do not find it.',
    'Link to it where it belongs, or remove it.',
    ['sitemaps.org', 'https://www.sitemaps.org/protocol.html'],
  ],
];

export const AUDIT_RULES: readonly RuleInfo[] = RULE_ROWS.map(
  ([id, severity, category, title, why, fix, [name, url]]) => ({
    id,
    severity,
    category,
    title,
    why,
    fix,
    source: { name, url },
  }),
);

/** Rules without findings in any audit. */
const QUIET = new Set(['mixed-content', 'robots-blocks-resources']);

const SECTIONS = ['blog', 'docs', 'products', 'jobs', 'support/articles', 'events', 'about', 'press'] as const;
const WORDS =
  'winter spring harvest compass lantern river granite paper signal harbour orchard meadow copper thread window garden letter north'.split(
    ' ',
  );

interface AuditSize {
  readonly pages: number;
  readonly findings: number;
  readonly seed?: number;
  readonly origin?: string;
}

/** An audit with this number of pages and findings. */
export function auditOf({
  pages: count,
  findings: most,
  seed = 1,
  origin = 'https://example.org',
}: AuditSize): AuditResult {
  const random = seededRandom(seed);
  const pages = pagesOf(count, random, origin);
  const judged = pages.filter((page) => page.judged === true);
  const findings = findingsOf(most, judged.length > 0 ? judged : pages, random, origin);
  const notJudged = pages.filter((page) => page.judged !== true);
  const reasons = notJudged.flatMap(({ judged: reason }) => (reason === true ? [] : [reason]));
  const counts: Partial<Record<NotJudgedReason, number>> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return {
    folder: '/crawls/orbweaver-example.org-20261123-090000',
    seeds: [`${origin}/`],
    started: '2026-11-23T09:00:00.000Z',
    coverage: {
      expected: Math.round(count * 1.04),
      seen: count,
      judged: judged.length,
      notJudged: counts,
      notJudgedPages: notJudged
        .slice(0, 12)
        .flatMap(({ url, judged: reason }) => (reason === true ? [] : [{ url, reason }])),
      limits: count > 100 ? ['page limit reached', 'robots.txt forbids 12 URLs'] : [],
    },
    findings,
    rules: AUDIT_RULES,
    pages,
    notes: ['Rule low-contrast was applied to rendered pages only: 3 pages were read without a browser.'],
  };
}

function pagesOf(count: number, random: Random, origin: string): readonly AuditedPage[] {
  const pages: AuditedPage[] = [];
  for (let index = 0; index < count; index += 1) {
    const section = pick(SECTIONS, random);
    const words = [pick(WORDS, random), pick(WORDS, random), pick(WORDS, random)];
    const path =
      index === 0
        ? '/'
        : index < SECTIONS.length
          ? `/${SECTIONS[index] ?? ''}/`
          : `/${section}/${words.join('-')}-${index}`;
    const chance = random();
    const judged: true | NotJudgedReason =
      index === 0 || chance < 0.95
        ? true
        : chance < 0.975
          ? 'error-page'
          : chance < 0.985
            ? 'log-in-page'
            : chance < 0.993
              ? 'soft-404'
              : 'not-rendered-to-the-end';
    const twin = index > 30 && random() < 0.03 ? (pages[Math.floor(random() * 12) + 10]?.url ?? null) : null;
    pages.push({
      url: `${origin}${path}`,
      status: judged === 'error-page' ? (random() < 0.8 ? 404 : 500) : 200,
      depth: index === 0 ? 0 : Math.min(9, 1 + Math.floor(random() * random() * 8)),
      bytes: Math.round(2_000 + random() ** 4 * 900_000),
      title: `${words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(' ')} – Example`,
      judged,
      screenshot: null,
      duplicateOf: twin,
    });
  }
  return pages;
}

function findingsOf(most: number, pages: readonly AuditedPage[], random: Random, origin: string): readonly Finding[] {
  const rules = AUDIT_RULES.filter(({ id }) => !QUIET.has(id));
  const found: Finding[] = [];
  const ids = new Set<string>();
  for (let index = 0; found.length < most && index < most * 4; index += 1) {
    const rule = pickUnevenly(rules, random);
    const page = pages[Math.floor(random() ** 1.4 * pages.length)];
    if (page === undefined) break;
    const finding = findingOf({ rule, page, random, origin, pages }, index);
    if (ids.has(finding.id)) continue;
    ids.add(finding.id);
    found.push(finding);
  }
  const rank = (finding: Finding): number => SEVERITIES.indexOf(finding.severity);
  return found.toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      (one.rule < other.rule ? -1 : one.rule > other.rule ? 1 : 0) ||
      other.sources.count - one.sources.count ||
      (one.id < other.id ? -1 : 1),
  );
}

interface Place {
  readonly rule: RuleInfo;
  readonly page: AuditedPage;
  readonly random: Random;
  readonly origin: string;
  readonly pages: readonly AuditedPage[];
}

function findingOf({ rule, page, random, origin, pages }: Place, index: number): Finding {
  const path = new URL(page.url).pathname;
  const template = path.split('/').length > 2 ? `/${path.split('/')[1] ?? ''}/*` : '/';
  const thing = `${pick(WORDS, random)}-${Math.floor(random() * 900)}`;
  const [message, evidence, target] = storyOf(rule.id, { page, thing, origin });
  const count = random() < 0.7 ? 1 : 1 + Math.floor(random() ** 3 * Math.min(400, pages.length));
  const first = Array.from({ length: Math.min(5, count) }, (_, nth) => ({
    url: nth === 0 ? page.url : (pages[(index * 7 + nth * 13) % pages.length]?.url ?? page.url),
    ...(evidence.selector === undefined ? {} : { selector: evidence.selector }),
    ...(rule.category === 'links' ? { text: `Read about ${thing}` } : {}),
  }));
  return {
    id: createHash('sha256').update(`${rule.id} ${path} ${thing}`).digest('hex').slice(0, 16),
    rule: rule.id,
    severity: rule.severity,
    confidence: random() < 0.8 ? 'high' : random() < 0.7 ? 'medium' : 'low',
    url: page.url,
    target,
    message,
    evidence,
    group: `${rule.id} ${template}`,
    sources: { count, first },
  };
}

type Story = readonly [message: string, evidence: Evidence, target: string | null];

function storyOf(rule: string, { page, thing, origin }: { page: AuditedPage; thing: string; origin: string }): Story {
  const target = `${origin}/old/${thing}`;
  switch (rule) {
    case 'broken-link':
      return [
        `The link to /old/${thing} is answered with 404.`,
        {
          selector: 'main > p:nth-of-type(3) > a',
          snippet: `<a href="/old/${thing}">Read about ${thing}</a>`,
          request: `GET ${target} 404`,
        },
        target,
      ];
    case 'broken-image':
      return [
        `The picture ${thing}.webp is answered with 404.`,
        {
          selector: 'figure img',
          snippet: `<img src="/img/${thing}.webp" alt="">`,
          request: `GET ${origin}/img/${thing}.webp 404`,
        },
        `${origin}/img/${thing}.webp`,
      ];
    case 'redirect-chain':
      return [
        `The link to /old/${thing} leads over 3 redirects.`,
        {
          selector: 'nav a',
          chain: [target, `${origin}/2019/${thing}`, `${origin}/blog/${thing}/`, `${origin}/blog/${thing}`],
        },
        target,
      ];
    case 'script-error':
      return [
        `TypeError: Cannot read properties of undefined (reading '${thing}')`,
        {
          snippet: `TypeError: Cannot read properties of undefined (reading '${thing}') at app.js:1:${thing.length * 311}`,
        },
        null,
      ];
    case 'missing-hsts':
      return [
        'The answer has no Strict-Transport-Security.',
        { header: 'strict-transport-security: (missing)', request: `GET ${page.url} 200` },
        null,
      ];
    case 'duplicate-title':
      return [
        `The title “${page.title ?? ''}” is that of other pages too.`,
        { others: [`${page.url}-2`, `${page.url}-3`] },
        null,
      ];
    case 'low-contrast':
      return [
        `“${thing}” has a contrast of 2.9 to 1; 4.5 is wanted.`,
        { selector: `.card .muted`, snippet: `<span class="muted">${thing}</span>` },
        null,
      ];
    default:
      return [
        `${thing}: ${AUDIT_RULES.find(({ id }) => id === rule)?.title ?? rule}.`,
        { selector: `main .${thing}`, snippet: `<img class="${thing}" src="/img/${thing}.png">` },
        null,
      ];
  }
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}

function pickUnevenly<Item>(items: readonly Item[], random: Random): Item {
  return pick(items, () => random() ** 1.3);
}

export const NO_DEMANDS: Demands = {
  gates: [],
  minPages: null,
  minCoverage: null,
  baseline: null,
  today: '2026-11-23',
};

/** The input of reporters: the audit with a verdict. */
export function reportOf(
  result: AuditResult,
  demands: Partial<Demands> = {},
): AuditReport & { readonly verdict: AuditVerdict } {
  return { result, verdict: judgeAudit(result, { ...NO_DEMANDS, ...demands }), version: '0.1.0' };
}

/** Text with which a page may try to break out of a report or to falsify it. */
export const HOSTILE_TEXT = `</script><img src=x onerror="alert(1)">\u202egnp.exe\u0000\u001b[31m ]]> <!-- ' " \` --> {{7*7}} @everyone #1 | \ud800 javascript:alert(1) ##[stop-commands]x ##vso[task.setvariable variable=PATH]x `;

/** The same audit with hostile texts wherever a page or server supplies text, some of a megabyte. */
export function withHostileTexts(result: AuditResult): AuditResult {
  const long = `${HOSTILE_TEXT}${'x'.repeat(1_000_000)}`;
  const url = (text: string): string => `${text}/${HOSTILE_TEXT}`;
  return {
    ...result,
    seeds: [...result.seeds, `javascript:alert(1)//${HOSTILE_TEXT}`],
    coverage: {
      ...result.coverage,
      limits: [HOSTILE_TEXT, long],
      notJudgedPages: [{ url: 'javascript:alert(1)', reason: 'challenge' }],
    },
    findings: result.findings.map((finding, index) => ({
      ...finding,
      url: index % 3 === 0 ? 'javascript:alert(document.domain)' : url(finding.url),
      target: HOSTILE_TEXT,
      message: index === 0 ? long : HOSTILE_TEXT,
      group: index % 2 === 0 ? finding.group : `${finding.group}${HOSTILE_TEXT}`,
      evidence: {
        selector: HOSTILE_TEXT,
        snippet: index === 1 ? long : HOSTILE_TEXT,
        header: HOSTILE_TEXT,
        request: HOSTILE_TEXT,
        chain: [HOSTILE_TEXT, 'data:text/html,<script>alert(1)</script>'],
        others: ['javascript:alert(1)'],
      },
      sources: {
        count: 3,
        first: [
          { url: 'javascript:alert(1)', text: HOSTILE_TEXT, selector: HOSTILE_TEXT },
          { url: url(finding.url), text: long },
        ],
      },
    })),
    pages: result.pages.map((page, index) => ({
      ...page,
      url: url(page.url),
      title: index === 0 ? long : HOSTILE_TEXT,
      screenshot: index === 0 ? '../../../etc/passwd" onerror="alert(1)' : 'javascript:alert(1)',
    })),
    notes: [HOSTILE_TEXT, long],
    external: [
      {
        url: 'javascript:alert(1)',
        verdict: HOSTILE_TEXT,
        status: 404,
        sources: { count: 1, first: [{ url: 'vbscript:x', text: HOSTILE_TEXT }] },
      },
    ],
    inventory: [{ kind: HOSTILE_TEXT, name: HOSTILE_TEXT, detail: long, pages: 3, beforeConsent: 2 }],
    suspectedTraps: [{ pattern: HOSTILE_TEXT, rule: HOSTILE_TEXT, fetched: 3, held: 4, why: long }],
  };
}
