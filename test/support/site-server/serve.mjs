// Serves a fixture site on loopback until Ctrl-C, with all extensions of site.json, and prints its start URL.
// Usage: node test/support/site-server/serve.mjs <name of a site|folder> [--port <n>]
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importTypeScript } from '../import-typescript.mjs';

const SITES = join(import.meta.dirname, '../../../fixtures/sites');

const { values, positionals } = parseArgs({
  options: { port: { type: 'string', default: '0' } },
  allowPositionals: true,
});
const [site] = positionals;
if (site === undefined || positionals.length > 1) {
  process.stderr.write('Usage: npm run fixture -- <name of a site|folder> [--port <n>]\n');
  process.exit(2);
}
const named = join(SITES, site);
const folder = existsSync(named) ? named : resolve(process.env.INIT_CWD ?? '', site);

const { openFixtureSite } = await importTypeScript(join(import.meta.dirname, 'open-fixture-site.ts'));
const server = await openFixtureSite(folder, Number(values.port)).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
});
process.stdout.write(`${server.url}\n`);
const others = [...server.origins.values()].slice(1);
if (others.length > 0) process.stderr.write(`Further hosts: ${others.join(', ')}\n`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server[Symbol.asyncDispose]());
