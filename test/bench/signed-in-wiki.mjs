/**
 * Compares crawls of a real application behind a log-in, signed out and signed in. The application is DokuWiki, as Debian packages it
 * (`apt-get install --no-install-recommends dokuwiki php-cli php-xml`); this script writes its pages: 10 that everybody may read, and 30
 * for users alone. Prints a table.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ORBWEAVER = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const PUBLIC = 10;
const TEAM = 30;
const PASSWORD = 'wiki-password-of-the-bench';

const folder = await mkdtemp(join(tmpdir(), 'orbweaver-wiki-'));
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
await makeWiki(join(folder, 'wiki'));
const server = spawn(
  'php',
  [
    '-d',
    `session.save_path=${folder}`,
    '-d',
    'display_errors=0',
    '-S',
    `127.0.0.1:${port}`,
    '-t',
    join(folder, 'wiki'),
  ],
  { stdio: 'ignore', env: { ...process.env, PHP_CLI_SERVER_WORKERS: '4' } },
);
try {
  await answers();
  await writeFile(
    join(folder, 'login.yaml'),
    [
      'url: /doku.php?do=login',
      'steps:',
      '  - { fill: "input[name=u]", with: wiki }',
      '  - { fill: "input[name=p]", with: "${env:WIKI_PASSWORD}" }',
      '  - { click: "#dw__login button[type=submit]" }',
      '  - { wait: "a[href*=\'do=logout\']" }',
      '',
    ].join('\n'),
  );
  const mark = ['--signed-in', "selector:a[href*='do=logout']"];
  const rows = [
    await crawl('signed out', []),
    await crawl('signed in', ['--login', join(folder, 'login.yaml'), ...mark]),
  ];
  console.table(Object.fromEntries(rows));
} finally {
  server.kill();
  await rm(folder, { recursive: true, force: true });
}

async function crawl(name, flags) {
  const output = join(folder, name.replace(' ', '-'));
  const began = performance.now();
  const run = spawn(
    process.execPath,
    [
      ORBWEAVER,
      'crawl',
      `${origin}/doku.php`,
      '--limit',
      '600',
      '--output',
      output,
      '--no-progress',
      '--quiet',
      ...flags,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, WIKI_PASSWORD: PASSWORD } },
  );
  const code = await new Promise((resolve) => run.once('exit', resolve));
  const pages = await lines(join(output, 'pages.jsonl'));
  const skipped = await lines(join(output, 'skipped.jsonl'));
  const links = await lines(join(output, 'links.jsonl'));
  const captured = pages.filter(({ outcome }) => outcome === 'captured');
  /** Wiki pages whose text was captured, at any address. */
  const texts = new Set(captured.flatMap(({ h1 }) => h1.filter((words) => /^(Public|Team) page \d+$/.test(words))));
  const of = (kind) => [...texts].filter((words) => words.startsWith(kind)).length;
  return [
    name,
    {
      exit: code,
      captured: captured.length,
      'public pages': `${of('Public')} of ${PUBLIC}`,
      'team pages': `${of('Team')} of ${TEAM}`,
      'links to team pages': new Set(links.map(({ to }) => to).filter((to) => to.includes('team:'))).size,
      'captured with the mark': captured.filter(({ signedIn }) => signedIn === true).length,
      'captured without it': captured.filter(({ signedIn }) => signedIn === false).length,
      'signs-out skipped': skipped.filter(({ reason }) => reason === 'signs-out').length,
      seconds: Math.round((performance.now() - began) / 1000),
    },
  ];
}

async function lines(file) {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** A copy of the packaged application, with its own data and configuration. */
async function makeWiki(at) {
  await cp('/usr/share/dokuwiki', at, { recursive: true, dereference: true });
  await cp('/etc/dokuwiki', join(at, 'conf'), { recursive: true, dereference: true });
  await cp('/var/lib/dokuwiki/data', join(at, 'data'), { recursive: true, dereference: true });
  const preload = await readFile(join(at, 'inc/preload.php'), 'utf8');
  await writeFile(join(at, 'inc/preload.php'), preload.replaceAll("'/etc/dokuwiki/'", `'${at}/conf/'`));
  const settings = {
    title: 'Wiki',
    useacl: 1,
    authtype: 'authplain',
    superuser: '@admin',
    indexdelay: 0,
    savedir: `${at}/data`,
    disableactions: 'register',
  };
  const php = Object.entries(settings).map(([key, value]) => `$conf['${key}'] = ${JSON.stringify(value)};`);
  await writeFile(join(at, 'conf/local.php'), `<?php\n${php.join('\n')}\n`);
  const hash = spawnSync('php', ['-r', `echo password_hash('${PASSWORD}', PASSWORD_BCRYPT);`], {
    encoding: 'utf8',
  }).stdout;
  await writeFile(
    join(at, 'conf/users.auth.php'),
    `wiki:${hash.replaceAll(':', '\\:')}:Wiki User:wiki@example.org:user\n`,
  );
  await writeFile(join(at, 'conf/acl.auth.php'), '*\t@ALL\t1\n*\t@user\t8\nteam:*\t@ALL\t0\nteam:*\t@user\t8\n');
  const pages = join(at, 'data/pages');
  await mkdir(join(pages, 'team'), { recursive: true });
  const names = (count, prefix) => Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
  const list = (prefix, count) =>
    names(count, prefix)
      .map((name) => `  * [[${name}]]`)
      .join('\n');
  await writeFile(join(pages, 'start.txt'), `====== Start ======\n\n${list('public', PUBLIC)}\n\n[[team:start]]\n`);
  await writeFile(join(pages, 'team/start.txt'), `====== Team ======\n\n${list('team:page', TEAM)}\n`);
  for (const [index, name] of names(PUBLIC, 'public').entries())
    await writeFile(join(pages, `${name}.txt`), `====== Public page ${index + 1} ======\n\nWhat everybody may read.\n`);
  for (const [index, name] of names(TEAM, 'page').entries())
    await writeFile(join(pages, `team/${name}.txt`), `====== Team page ${index + 1} ======\n\nWhat the team knows.\n`);
}

async function answers() {
  for (let tries = 0; tries < 50; tries++) {
    const answer = await fetch(`${origin}/doku.php`).catch(() => null);
    if (answer?.ok === true) return;
    await wait(200);
  }
  throw new Error('the wiki does not answer: are dokuwiki, php-cli and php-xml installed?');
}

function freePort() {
  return new Promise((resolve) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = socket.address();
      socket.close(() => resolve(free));
    });
  });
}
