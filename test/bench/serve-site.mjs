/** Serves a site for a benchmark, in a process of its own. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../support/site-server/serve.mjs', import.meta.url));

/** Serves until `stop` is called; `url` is the start of the site. @param port 0 for any */
export async function serveSite(site, port = 0) {
  const child = spawn(process.execPath, [SERVER, site, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  const url = await new Promise((done, failed) => {
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const [found] = /https?:\/\/\S+/.exec(said) ?? [];
      if (found !== undefined && said.includes('\n')) done(found);
    });
    child.once('exit', (code) => failed(new Error(`serve ended with ${code}`)));
  });
  const stop = () =>
    new Promise((done) => {
      child.once('exit', done);
      child.kill('SIGTERM');
    });
  return { url, stop };
}
