// Imports a TypeScript module of the tests into a script for plain Node: Node 20 does not read types. Bundles the module and its
// dependencies into one file, which is removed after the import.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

/** Packages that are not ES modules call `require` for Node's own modules. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** @param path of the module, absolute */
export async function importTypeScript(path) {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-script-'));
  try {
    const outfile = join(folder, 'module.mjs');
    buildSync({
      entryPoints: [path],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      banner: { js: REQUIRE },
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
