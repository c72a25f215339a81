// Builds the script of every thread, src/<room>/threads/<name>.ts, into src/<room>/generated/<name>.ts.
import { generateSources } from './generated-sources.mjs';

for (const room of ['crawl', 'system']) {
  generateSources({
    entries: `src/${room}/threads`,
    target: `src/${room}/generated`,
    options: { platform: 'node', format: 'cjs', target: 'node20' },
  });
}
