// Writes the tables of Redis keys into ARCHITECTURE.md from the built keys.ts of their modules.
import { readFileSync, writeFileSync } from 'node:fs';
import { FRONTIER_KEYS } from '../dist/src/frontier/keys.js';
import { SIMILARITY_KEYS } from '../dist/src/dedup/keys.js';
import { FLEET_KEYS } from '../dist/src/fleet/keys.js';
import { TRAP_KEYS } from '../dist/src/traps/keys.js';

const path = new URL('../ARCHITECTURE.md', import.meta.url);
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
const tableOf = (keys) =>
  [
    '| key | type | member or field | score or value | for |',
    '|---|---|---|---|---|',
    ...keys.map(
      ({ name, type, member, value, purpose }) =>
        `| \`${name}\` | ${type} | ${cell(member)} | ${cell(value)} | ${cell(purpose)} |`,
    ),
  ].join('\n');
let text = readFileSync(path, 'utf8');
for (const [mark, keys] of [
  ['keys', FRONTIER_KEYS],
  ['similarity-keys', SIMILARITY_KEYS],
  ['trap-keys', TRAP_KEYS],
  ['fleet-keys', FLEET_KEYS],
]) {
  const place = new RegExp(`(<!-- ${mark}:begin[^>]*-->\\n)[\\s\\S]*?(<!-- ${mark}:end -->)`);
  text = text.replace(place, `$1${tableOf(keys)}\n$2`);
}
writeFileSync(path, text);
