// Builds the script of every thread, <folder>/threads/<name>.ts, into <folder>/generated/<name>.ts.
import { generateSources } from './generated-sources.mjs';

for (const folder of ['src/crawl', 'src/base/process']) {
  generateSources({
    entries: `${folder}/threads`,
    target: `${folder}/generated`,
    options: { platform: 'node', format: 'cjs', target: 'node20' },
  });
}
