// Preloaded into the built command line (node --import): reports on standard error, in order, the programs it starts and the load of the
// first module of Playwright, which is CommonJS; and at the end the number of its modules loaded.
import childProcess from 'node:child_process';
import { writeSync } from 'node:fs';
import Module, { createRequire, syncBuiltinESMExports } from 'node:module';

const { cache } = createRequire(import.meta.url);
const say = (what) => writeSync(2, `@@ ${what}\n`);
const isPlaywright = (path) => path.includes('/playwright-core/');

const { spawn } = childProcess;
childProcess.spawn = (program, ...rest) => {
  const words = [program, ...(Array.isArray(rest[0]) ? rest[0] : [])].join(' ');
  if (/redis-server|valkey-server/.test(words)) say('starts redis');
  else if (/--remote-debugging-pipe/.test(words)) say('starts browser');
  return spawn(program, ...rest);
};
syncBuiltinESMExports();

const load = Module.prototype.load;
let isLoaded = false;
Module.prototype.load = function loadWatched(path) {
  if (!isLoaded && isPlaywright(path)) {
    isLoaded = true;
    say('loads playwright');
  }
  return load.call(this, path);
};
process.on('exit', () => say(`holds ${Object.keys(cache).filter(isPlaywright).length}`));
