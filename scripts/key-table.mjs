// Writes the table of Redis keys into ARCHITECTURE.md from the built src/frontier/keys.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { FRONTIER_KEYS } from '../dist/src/frontier/keys.js';

const path = new URL('../ARCHITECTURE.md', import.meta.url);
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
const rows = FRONTIER_KEYS.map(
  ({ name, type, member, value, purpose }) =>
    `| \`${name}\` | ${type} | ${cell(member)} | ${cell(value)} | ${cell(purpose)} |`,
);
const table = ['| key | type | member or field | score or value | for |', '|---|---|---|---|---|', ...rows].join('\n');
const text = readFileSync(path, 'utf8');
writeFileSync(path, text.replace(/(<!-- keys:begin[^>]*-->\n)[\s\S]*?(<!-- keys:end -->)/, `$1${table}\n$2`));
