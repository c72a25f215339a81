// Same seeded content for five frameworks: node content.mjs <docusaurus|vitepress|starlight|next|sveltekit> <dir> [count=200] [seed=7]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export function rng(seed) {
  // mulberry32
  return () => {
    let t = (seed += 0x6d2b79f5);
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
export const SECTIONS = [
  'guide/basics',
  'guide/advanced',
  'guide/advanced/internals',
  'reference/api',
  'reference/api/events',
  'reference/cli',
  'reference/config',
  'recipes/storage',
  'recipes/deploy',
  'recipes/deploy/cloud',
  'notes/2023',
  'notes/2024',
  'notes/2025',
];
const TAGS = [
  'performance',
  'security',
  'storage',
  'networking',
  'testing',
  'tooling',
  'upgrade',
  'beginner',
  'internals',
  'operations',
];
const NOUN =
  'queue,cache,index,worker,scheduler,parser,session,cluster,buffer,snapshot,journal,router,pipeline,registry,monitor,gateway,replica,cursor,schema,token,bucket,lease,manifest,resolver,heartbeat'.split(
    ',',
  );
const VERB =
  'Tuning,Reading,Writing,Sizing,Moving,Testing,Tracing,Locking,Splitting,Merging,Guarding,Watching,Building,Draining,Signing,Sharing,Resuming,Pausing,Naming,Checking'.split(
    ',',
  );
const ADJ =
  'small,steady,cold,shared,local,remote,busy,quiet,stale,fresh,partial,ordered,nested,bounded,durable,idle,slow,simple,strict,plain'.split(
    ',',
  );
const DOES =
  'keeps,drops,copies,returns,rejects,flushes,reorders,repeats,measures,replaces,hides,collects,compares,forwards,delays,counts'.split(
    ',',
  );
const WHEN = [
  'before the first request arrives',
  'after a restart',
  'while the disk is full',
  'when two writers meet',
  'during an upgrade',
  'in the evening batch',
  'under a light load',
  'as soon as the timer fires',
  'once the lock is free',
  'whenever the config changes',
  'without any warning',
  'on the second attempt',
  'for about ten seconds',
  'at the end of each round',
];
const START = [
  'In most setups',
  'As a rule',
  'By default',
  'In practice',
  'On a fresh machine',
  'Since version two',
  'With the old format',
  'For larger teams',
  'In our tests',
  'Most of the time',
];

export function make(count = 200, seed = 7) {
  const r = rng(seed),
    pick = (a) => a[Math.floor(r() * a.length)],
    int = (a, b) => a + Math.floor(r() * (b - a + 1));
  const cap = (s) => s[0].toUpperCase() + s.slice(1),
    seen = new Set(),
    pages = [];
  for (let i = 0; i < count; i++) {
    let title;
    do title = `${pick(VERB)} a ${pick(ADJ)} ${pick(NOUN)}`;
    while (seen.has(title));
    seen.add(title);
    const section = SECTIONS[i % SECTIONS.length],
      slug = title.toLowerCase().replaceAll(' ', '-');
    pages.push({
      id: `${section}/${slug}`,
      section,
      title,
      order: Math.floor(i / SECTIONS.length) + 1,
      tags: [...new Set([pick(TAGS), pick(TAGS), pick(TAGS)])].sort(),
      date: new Date(Date.UTC(2023, 0, 1) + i * 432e6).toISOString().slice(0, 10),
      widget: i % 5 === 0 ? 'counter' : i % 5 === 2 ? 'tabs' : null,
      start: i,
    });
  }
  const sentence = () =>
    [
      () => `${pick(START)} the ${pick(ADJ)} ${pick(NOUN)} ${pick(DOES)} every ${pick(NOUN)} ${pick(WHEN)}.`,
      () =>
        `The ${pick(NOUN)} ${pick(DOES)} a ${pick(ADJ)} ${pick(NOUN)}, so the ${pick(NOUN)} stays ${pick(ADJ)} ${pick(WHEN)}.`,
      () =>
        `A ${pick(ADJ)} ${pick(NOUN)} is rarely *${pick(ADJ)}*; it ${pick(DOES)} about ${int(2, 900)} records ${pick(WHEN)}.`,
      () =>
        `Set \`${pick(NOUN)}.${pick(NOUN)}\` to \`${int(1, 64)}\` if the ${pick(NOUN)} ${pick(DOES)} too many items ${pick(WHEN)}.`,
      () => `${cap(pick(WHEN))}, the **${pick(NOUN)}** ${pick(DOES)} what the ${pick(ADJ)} ${pick(NOUN)} left behind.`,
    ][int(0, 4)]();
  for (const p of pages) {
    const others = new Set();
    const want = int(3, 6),
      near = pages.filter((q) => q.section === p.section && q !== p);
    while (others.size < want) {
      const q = r() < 0.4 ? pick(near) : pick(pages);
      if (q !== p) others.add(q);
    }
    const links = [...others],
      parts = [];
    p.links = links.map((q) => q.id);
    p.description = sentence().replace(/[*`]/g, '');
    const para = (n) => {
      const s = Array.from({ length: n }, sentence);
      if (links.length) {
        const q = links.pop();
        s.splice(
          int(0, s.length),
          0,
          [`See also `, `This builds on `, `Compare it with `][int(0, 2)] + `[${q.title}](@@${q.id}@@).`,
        );
      }
      return s.join(' ');
    };
    parts.push(para(int(3, 4)));
    const heads = int(2, 4),
      h = new Set();
    for (let k = 0; k < heads; k++) {
      let t;
      do t = `${pick(['Why', 'How', 'When', 'Where'])} the ${pick(NOUN)} ${pick(DOES)}`;
      while (h.has(t));
      h.add(t);
      parts.push(`## ${t}`, para(int(2, 4)));
      const x = int(0, 5);
      if (x === 0)
        parts.push(
          Array.from({ length: int(3, 5) }, () => `- the ${pick(ADJ)} ${pick(NOUN)} ${pick(WHEN)}`).join('\n'),
        );
      if (x === 1) parts.push(Array.from({ length: int(3, 4) }, (_, n) => `${n + 1}. ${sentence()}`).join('\n'));
      if (x === 2)
        parts.push(
          '```js\n' +
            `import { ${pick(NOUN)} } from 'acme/${pick(NOUN)}';\n\nconst opts = { ${pick(NOUN)}: ${int(1, 99)}, ${pick(ADJ)}: true };\nfor (let i = 0; i < ${int(3, 40)}; i++) {\n  await ${pick(NOUN)}(opts, i);\n}\n` +
            '```',
        );
      if (x === 3)
        parts.push(
          '| Option | Default | Meaning |\n| --- | --- | --- |\n' +
            Array.from(
              { length: int(3, 5) },
              () => `| \`${pick(NOUN)}\` | ${int(1, 500)} | ${pick(DOES)} the ${pick(ADJ)} ${pick(NOUN)} |`,
            ).join('\n'),
        );
      if (x === 4)
        parts.push(
          '```sh\n' + `acme ${pick(NOUN)} --${pick(NOUN)}=${int(1, 9)} --${pick(ADJ)}\n` + '```',
          `### A ${pick(ADJ)} case`,
          para(2),
        );
      if (x === 5) parts.push(`> ${sentence()}`);
    }
    while (links.length || parts.join(' ').split(/\s+/).length < 150) parts.push(para(2));
    p.body = parts;
  }
  return pages;
}
const WIDGET = {
  // [imports, markup]
  docusaurus: {
    counter: (p) => ["import Counter from '@site/src/components/Counter';", `<Counter start={${p.start}} />`],
    tabs: () => [
      "import Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';",
      '<Tabs>\n<TabItem value="npm" label="npm" default>\n\nInstall it with `npm install acme`.\n\n</TabItem>\n<TabItem value="yarn" label="Yarn">\n\nInstall it with `yarn add acme`.\n\n</TabItem>\n</Tabs>',
    ],
  },
  starlight: {
    counter: (p) => ["import Counter from '@/components/Counter.jsx';", `<Counter client:load start={${p.start}} />`],
    tabs: () => ["import PackageTabs from '@/components/PackageTabs.jsx';", '<PackageTabs client:visible />'],
  },
  vitepress: {
    counter: (p) => ['', `<Counter :start="${p.start}" />`],
    tabs: () => ['', '::: code-group\n\n```sh [npm]\nnpm install acme\n```\n\n```sh [yarn]\nyarn add acme\n```\n\n:::'],
  },
  sveltekit: {
    counter: (p) => [
      "<script>\n\timport Counter from '$lib/Counter.svelte';\n</script>",
      `<Counter start={${p.start}} />`,
    ],
    tabs: () => ["<script>\n\timport Tabs from '$lib/Tabs.svelte';\n</script>", '<Tabs />'],
  },
  next: null, // by frontmatter
};
export function write(kind, dir, count, seed) {
  const pages = make(count, seed),
    put = (f, s) => {
      mkdirSync(dirname(join(dir, f)), { recursive: true });
      writeFileSync(join(dir, f), s);
    };
  const ext = { docusaurus: 'mdx', starlight: 'mdx', vitepress: 'md', next: 'md', sveltekit: 'svx' }[kind];
  const href = (from, to) =>
    ({
      docusaurus: () => {
        const x = relative(dirname(from), to);
        return (x[0] === '.' ? x : './' + x) + '.mdx';
      },
      starlight: () => `/${to}/`,
      vitepress: () => `/${to}`,
      next: () => `/docs/${to}`,
      sveltekit: () => `/docs/${to}`,
    })[kind]();
  const label = (s) => s[0].toUpperCase() + s.slice(1);
  for (const p of pages) {
    const w = p.widget && WIDGET[kind]?.[p.widget](p),
      body = [...p.body];
    if (w) body.splice(2, 0, w[1]);
    const fm = { title: p.title, description: p.description };
    if (kind === 'docusaurus') Object.assign(fm, { tags: p.tags, sidebar_position: p.order });
    if (kind === 'starlight') fm.sidebar = { order: p.order };
    if (kind === 'next' || kind === 'sveltekit')
      Object.assign(fm, { tags: p.tags, date: p.date, order: p.order, widget: p.widget, start: p.start });
    const text = [
      '---\n' +
        Object.entries(fm)
          .map(([k, v]) => `${k}: ${JSON.stringify(v)}`)
          .join('\n') +
        '\n---',
      ...(w?.[0] ? [w[0]] : []),
      ...(kind === 'vitepress' ? [`# ${p.title}`] : []),
      ...body,
    ].join('\n\n');
    put(`${p.id}.${ext}`, text.replace(/@@(.+?)@@/g, (_, to) => href(p.id, to)) + '\n');
  }
  const folders = [
    ...new Set(SECTIONS.flatMap((s) => s.split('/').map((_, i, a) => a.slice(0, i + 1).join('/')))),
  ].sort();
  if (kind === 'docusaurus')
    folders.forEach((f, i) =>
      put(
        `${f}/_category_.json`,
        JSON.stringify(
          {
            label: label(f.split('/').pop()),
            position: i + 10,
            link: { type: 'generated-index', description: `All about ${f}.` },
          },
          null,
          2,
        ),
      ),
    );
  if (kind === 'vitepress') {
    const group = (f) => ({
      text: label(f.split('/').pop()),
      collapsed: f.includes('/'),
      items: [
        ...pages.filter((p) => p.section === f).map((p) => ({ text: p.title, link: '/' + p.id })),
        ...folders.filter((g) => dirname(g) === f).map(group),
      ],
    });
    put('.vitepress/sidebar.json', JSON.stringify(folders.filter((f) => !f.includes('/')).map(group), null, 1));
  }
  return pages;
}
if (process.argv[1]?.endsWith('content.mjs') && process.argv[3]) {
  const p = write(process.argv[2], process.argv[3], +(process.argv[4] || 200), +(process.argv[5] || 7));
  console.log(process.argv[2], p.length, 'pages');
}
