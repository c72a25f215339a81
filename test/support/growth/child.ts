/** The process that measures parsers: arguments are names of parsers, each report is a line of JSON. */
import { writeSync } from 'node:fs';
import { growthsOf } from './measure.ts';
import { PARSERS } from './parsers.ts';

const say = (line: unknown): void => void writeSync(1, `${JSON.stringify(line)}\n`);

if (process.argv.length === 2) say({ names: PARSERS.map(({ name }) => name) });
for (const name of process.argv.slice(2)) {
  const parser = PARSERS.find((each) => each.name === name);
  if (parser === undefined) throw new Error(`no such parser: ${name}`);
  for (const growth of growthsOf(parser, (_parser, text) => say({ begins: name, text }))) say({ growth });
  say({ ends: name });
}
