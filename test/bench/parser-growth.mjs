// Prints the growth of each parser's work with hostile input as a Markdown table: the worst text, CPU time at n, 2n and 4n, and the
// resulting exponent. `node test/bench/parser-growth.mjs [part of a name]`
import { parserGrowths } from '../support/growth/run.mjs';

const part = process.argv[2] ?? '';
const growths = [];
await parserGrowths(
  (growth) => {
    growths.push(growth);
    if (growth.fault !== null) console.error(`${growth.parser}: ${growth.text}: ${growth.fault}`);
  },
  (name) => name.includes(part),
);

const ms = (time) => (time < 10 ? time.toFixed(1) : time.toFixed(0));
const cell = (text) => `\`${text.replaceAll('`', 'ˋ').replaceAll('|', '\\|')}\``;
const byParser = Map.groupBy?.(growths, ({ parser }) => parser) ?? grouped(growths);
console.log('| parser | worst text | ms at n | 2n | 4n | exponent | ms/MiB |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const [parser, all] of byParser) {
  const worst = all.toSorted((one, other) => rank(other) - rank(one))[0];
  const { text, times, exponent, cost, fault } = worst;
  const figures = fault === null || times[2] > 0 ? [...times.map(ms), exponent.toFixed(2)] : ['', '', '', ''];
  console.log(
    `| ${parser} | ${cell(text)} | ${figures.join(' | ')} | ${cost === null ? '' : cost.toFixed(0)} | ${fault ?? ''}`,
  );
}
const faults = growths.filter(({ fault }) => fault !== null);
console.log(`\n${growths.length} texts and lists of ${byParser.size} parsers, ${faults.length} of them with a fault`);
process.exitCode = faults.length === 0 ? 0 : 1;

function rank({ fault, times }) {
  return (fault === null ? 0 : 1e9) + times[2];
}

function grouped(all) {
  const groups = new Map();
  for (const each of all) groups.set(each.parser, [...(groups.get(each.parser) ?? []), each]);
  return groups;
}
