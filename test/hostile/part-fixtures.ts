/** F14, F17, F60 and H14 to H32, as far as one crawl from outside shows too little: crawls that are killed, and parts of the program. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { cssReferences } from '../../src/core/links/markup/css-text.ts';
import { commentUrls, writtenUrls } from '../../src/core/links/texts/written-urls.ts';
import { trapIn } from '../../src/core/scope/trap.ts';
import type { PageRecord } from '../../src/model/record.ts';
import { canonicalUrl } from '../../src/model/url/canonical-url.ts';
import { urlShape } from '../../src/model/url/url-shape.ts';
import { runCommand } from '../support/command.ts';
import { linesOf } from '../support/crawl-run.ts';
import { CommandRun, type EndedRun } from './command-run.ts';
import { must, scripted, type CrawlFixture, type PartFixture } from './fixture.ts';
import { brokenByProcess } from './promises.ts';
import { INNOCENT, openWorld, type World } from './world.ts';

/** A page that never settles within its generous time, so that a kill finds it in flight. */
const BUSY: CrawlFixture = {
  id: '',
  attack: '',
  routes: ({ canary, third }) => ({
    '/hostile': scripted(
      `setInterval(()=>{fetch('http://127.0.0.1:${canary.port}/c').catch(()=>{});new Image().src='${third.url}/t'},5);setTimeout(()=>{while(true);},2000)`,
    ),
  }),
};
const PATIENT = ['--page-timeout', '60s', '--settle-timeout', '50s', '--workers', '2', '--retries', '0'];

async function inFolder<Result>(run: (base: string) => Promise<Result>): Promise<Result> {
  const base = await mkdtemp(join(tmpdir(), 'orbweaver-hostile-'));
  try {
    await chmod(base, 0o755);
    return await run(base);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

const capturedOf = async (folder: string): Promise<readonly PageRecord[]> =>
  (await linesOf<PageRecord>(folder, 'pages.jsonl').catch(() => [])).filter(({ outcome }) => outcome === 'captured');

/** Kills the command when all innocent pages are captured and the hostile one has been requested this often. */
async function killInFlight(
  command: CommandRun,
  world: World,
  { folder, asked }: { readonly folder: string; readonly asked: number },
): Promise<EndedRun> {
  const isDue = async (): Promise<boolean> =>
    world.site.asked.filter(({ url }) => url === '/hostile').length >= asked &&
    (await capturedOf(folder)).length >= INNOCENT.length + 3;
  let over = false;
  const ended = command.ended().then((run) => {
    over = true;
    return run;
  });
  while (!over && !(await isDue())) await wait(50);
  await wait(300);
  command.signal('SIGKILL');
  return await ended;
}

async function killedOnce(base: string, world: World): Promise<{ readonly run: EndedRun; readonly folder: string }> {
  const folder = join(base, 'crawl');
  const command = await CommandRun.start(['crawl', world.site.url, world.calm.url, '-o', folder, ...PATIENT], base);
  return { run: await killInFlight(command, world, { folder, asked: 1 }), folder };
}

/** Measures this process's CPU time, because other programs may use the processor. @param limit milliseconds */
const slowest = (tried: readonly (readonly [name: string, run: () => unknown])[], limit: number): readonly string[] =>
  tried.flatMap(([name, run]) => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    const took = (user + system) / 1000;
    return must(took < limit, `${name} took ${Math.round(took)} ms, not less than ${limit}`);
  });

export const PART_FIXTURES: readonly PartFixture[] = [
  {
    id: 'F14',
    attack: 'the command and its proxy are killed while a page asks on and on',
    part: 'crawl killed in the middle',
    try: () =>
      inFolder(async (base) => {
        await using world = await openWorld(BUSY, false);
        const { run } = await killedOnce(base, world);
        const before = world.site.asked.length + world.third.asked.length;
        await wait(1000);
        return [
          ...must(run.watched.leftOver.length === 0, `processes left: ${run.watched.leftOver.join(', ')}`),
          ...must(world.canary.hits.length === 0, `reached what is private: ${world.canary.hits[0]}`),
          ...must(
            world.site.asked.length + world.third.asked.length === before,
            'somebody asked on after the end of the command',
          ),
          ...must(world.third.asked.length === 0, 'a host was reached past the proxy'),
        ];
      }),
  },
  {
    id: 'F17',
    attack: 'addresses of 2,048 characters and texts of a megabyte against the own patterns',
    part: 'patterns over URLs (10 ms each) and texts (1 s each)',
    try: () => {
      const host = 'http://a.example/';
      const urls = [
        'a'.repeat(2020),
        'a/'.repeat(1000),
        `${'a'.repeat(2000)}!`,
        '%61'.repeat(670),
        `?${'a=1&'.repeat(500)}`,
        `?a=${'1,'.repeat(1000)}`,
        '-'.repeat(2000),
        '1'.repeat(2000),
        `;${'a;'.repeat(1000)}`,
      ];
      const texts = [
        'a'.repeat(1e6),
        `${'a'.repeat(1e6)}!`,
        '('.repeat(1e6),
        '\\'.repeat(1e6),
        `http://${'a.'.repeat(5e5)}`,
        '<!--'.repeat(25e4),
        ' '.repeat(1e6),
      ];
      const each = urls.flatMap((path, n) => {
        const url = canonicalUrl(host + path);
        return url === null
          ? []
          : ([
              [`canonicalUrl ${n}`, () => canonicalUrl(host + path)],
              [`trapIn ${n}`, () => trapIn(url)],
              [`patternOf ${n}`, () => urlShape(url, 'program')],
            ] as const);
      });
      const long = texts.flatMap(
        (text, n) =>
          [
            [`writtenUrls ${n}`, () => writtenUrls(text)],
            [`commentUrls ${n}`, () => commentUrls(text)],
            [`cssReferences ${n}`, () => cssReferences(text, host)],
          ] as const,
      );
      return [...slowest(each, 10), ...slowest(long, 1000)];
    },
    quick: true,
  },
  {
    id: 'F60',
    attack: 'archives that were changed: cut, other bytes, absurd lengths, line ends in addresses',
    part: 'export --wacz',
    try: () =>
      inFolder(async (base) => {
        await using world = await openWorld(
          { ...BUSY, routes: () => ({ '/hostile': '<!doctype html><title>h</title><p>archived' }) },
          false,
        );
        const folder = join(base, 'crawl');
        const crawled = await runCommand(
          ['crawl', world.site.url, '-o', folder, '--snapshot', 'warc', '--render', 'never'],
          base,
        ).ended;
        const archive = join(folder, 'archive');
        const name = (await readdir(archive)).find((each) => each.endsWith('.warc.gz')) ?? '';
        const whole = await readFile(join(archive, name));
        const changed: Readonly<Record<string, Buffer>> = {
          cut: whole.subarray(0, whole.length - 40),
          byte: Buffer.concat([whole.subarray(0, 300), Buffer.from([(whole[300] ?? 0) ^ 0xff]), whole.subarray(301)]),
          doubled: Buffer.concat([whole, whole]),
          length: Buffer.concat([
            whole,
            Buffer.from('1f8b08000000000000030b770c72b63234d333e4e50af77455b0525028', 'hex'),
          ]),
          empty: Buffer.alloc(0),
        };
        const broken: string[] = [
          ...must(crawled.code === 0, `the crawl ended with ${crawled.code}: ${crawled.output.slice(-200)}`),
        ];
        for (const [kind, content] of Object.entries(changed)) {
          await writeFile(join(archive, name), content);
          const { code, output } = await runCommand(['export', folder, '--wacz', join(base, `${kind}.wacz`)], base)
            .ended;
          broken.push(
            ...must(code === 3 && /damaged/.test(output), `${kind}: export ended with ${code}: ${output.slice(-150)}`),
          );
        }
        const left = (await readdir(base)).filter((each) => each.includes('.wacz'));
        return [...broken, ...must(left.length === 0, `files left: ${left.join(', ')}`)];
      }),
  },
  {
    id: 'H14',
    attack: 'a page over which the whole command dies, at each of three starts',
    part: 'crawl and resume, killed three times',
    try: () =>
      inFolder(async (base) => {
        await using world = await openWorld(BUSY, false);
        const { folder } = await killedOnce(base, world);
        for (const asked of [2, 3]) {
          const again = await CommandRun.start(['resume', folder], base, { name: `resumed-${asked}` });
          await killInFlight(again, world, { folder, asked });
        }
        const before = world.site.asked.filter(({ url }) => url === '/hostile').length;
        const last = await (await CommandRun.start(['resume', folder], base, { name: 'last' })).ended();
        const page = (await linesOf<PageRecord>(folder, 'pages.jsonl')).find(({ url }) => url.endsWith('/hostile'));
        const asked = world.site.asked.filter(({ url }) => url === '/hostile').length;
        return [
          ...must(last.code === 0, `exit ${last.code} at the fourth start`),
          ...must(asked === before, 'the page was visited at the fourth start'),
          ...must(
            page?.outcome === 'crashed' && /quarantin/.test(page.detail ?? ''),
            `the page ended as ${page?.outcome} (${page?.detail})`,
          ),
          ...brokenByProcess(last),
        ];
      }),
  },
  {
    id: 'H28',
    attack: 'a crawl that is killed and leaves the profile of its browser',
    part: 'crawl killed, and the next one',
    try: () =>
      inFolder(async (base) => {
        await using world = await openWorld(BUSY, false);
        const { run } = await killedOnce(base, world);
        const temporary = join(base, 'temporary-run');
        const next = runCommand(['crawl', world.calm.url, '-o', join(base, 'next'), '--render', 'always'], base, {
          TMPDIR: temporary,
        });
        const { code, output } = await next.ended;
        const left = await readdir(temporary);
        return [
          ...must(run.watched.leftOver.length === 0, `processes left: ${run.watched.leftOver.join(', ')}`),
          ...must(code === 0, `the next crawl ended with ${code}: ${output.slice(-200)}`),
          ...must(left.length === 0, `left after the next crawl: ${left.join(', ')}`),
        ];
      }),
  },
  {
    id: 'H31',
    attack: 'a crawl folder from elsewhere that names a program as its browser',
    part: 'resume',
    try: () =>
      inFolder(async (base) => {
        await using world = await openWorld(BUSY, true);
        const folder = join(base, 'crawl');
        const command = await CommandRun.start(['crawl', world.site.url, '-o', folder, ...PATIENT], base);
        await world.attacked;
        command.signal('SIGINT');
        await command.shows('Stopping', 5000);
        await wait(350);
        command.signal('SIGINT');
        await command.ended();
        const program = join(base, 'program');
        await mkdir(join(base, 'proof'));
        await chmod(join(base, 'proof'), 0o777);
        await writeFile(program, `#!/bin/sh\necho started > ${join(base, 'proof', 'started')}\n`, { mode: 0o755 });
        const file = join(folder, 'crawl.json');
        const crawl = JSON.parse(await readFile(file, 'utf8')) as { options: Record<string, unknown> };
        crawl.options['browser'] = program;
        crawl.options['limit'] = 1;
        await writeFile(file, JSON.stringify(crawl));
        const { output } = await runCommand(['resume', folder, '--time-limit', '5s'], base).ended;
        const proof = await readdir(join(base, 'proof'));
        return must(proof.length === 0, `the program was started; resume said ${JSON.stringify(output.slice(-150))}`);
      }),
  },
  {
    id: 'H32',
    attack: 'hostile pages, texts and robots.txt against --dry-run',
    part: 'crawl --dry-run',
    try: () =>
      inFolder(async (base) => {
        const css = `<style>p{background:url(${String.raw`\aaaaaa`.repeat(40)}</style>${'<!---->'.repeat(60)}`;
        await using world = await openWorld(
          { ...BUSY, routes: () => ({ '/hostile': scripted('while(true);', css) }) },
          false,
        );
        const command = await CommandRun.start(['crawl', world.site.url, '--dry-run', '--page-timeout', '8s'], base);
        void world.begun.then(() => command.watch.mark());
        const run = await command.ended();
        return [...brokenByProcess(run), ...must(run.code === 0, `exit ${run.code}`)];
      }),
  },
];
