// Bundles the compiled program and the packages it needs into a few files: Node starts them in a third of the time that the thousand
// single modules take. The library (dist/src/index.js) stays as compiled, with its packages beside it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

/** Packages loaded from node_modules at run time: optional ones, and those that look for their own files beside them. */
const EXTERNAL = [
  '@duckduckgo/autoconsent',
  'aws4fetch',
  'axe-core',
  'msgpackr-extract',
  'node-sqlite3-wasm',
  'playwright-core',
];

/** CommonJS packages call `require`, which an ES module does not have. */
const REQUIRE = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/** Keeps the paths of `new URL(…, import.meta.url)`: a bundled module still resolves them from where it was compiled to. */
const ownPlaces = (compiled, target) => ({
  name: 'own-places',
  setup(bundle) {
    bundle.onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(compiled) || path.includes('node_modules')) return undefined;
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const place = relative(target, path).replaceAll('\\', '/');
      const contents = text.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
      return { contents, loader: 'js', resolveDir: dirname(path) };
    });
  },
});

/** The folder of the package that a bundled file belongs to; null for a file of our own. */
function packageOf(path) {
  const inside = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll('\\', '/'));
  return inside ? inside[1] : null;
}

/** Name, version, licence and licence text of each package: the licences ask for them when the code is passed on. */
function notices(root, inputs) {
  const folders = new Set(inputs.map(packageOf).filter((folder) => folder !== null));
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8').trim();
    return `${name} ${version}, ${license}\n\n${text}`.trim();
  });
}

/**
 * @param root the repository
 * @param dist the folder that the compiler wrote; `bin` appears in it
 */
export async function bundleProgram(root, dist) {
  const target = join(dist, 'bin');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { orbweaver: join(dist, 'src/cli/main.js') },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outdir: target,
    chunkNames: 'part-[hash]',
    external: EXTERNAL,
    banner: { js: REQUIRE },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins: [ownPlaces(dist, target)],
  });
  const texts = notices(root, Object.keys(metafile.inputs));
  const head = 'The program holds code of these packages, under their own licences.';
  writeFileSync(join(target, 'THIRD-PARTY.txt'), [head, ...texts].join(`\n\n${'-'.repeat(80)}\n\n`) + '\n');
  if (!existsSync(join(target, 'orbweaver.js'))) throw new Error('the program was not bundled');
}
