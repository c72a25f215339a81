/**
 * The rules of the JUnit schema that Jenkins' xUnit plugin validates by (junit-10.xsd), copied by hand, as no package ships it: which
 * elements may occur where, which attributes they may and must have, and that counts are correct.
 */
import { Parser } from 'htmlparser2';

const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  testsuites: ['testsuite'],
  testsuite: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
  properties: ['property'],
  testcase: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  property: [],
  skipped: [],
  error: [],
  failure: [],
  'system-out': [],
  'system-err': [],
};

const ATTRIBUTES: Readonly<Record<string, { readonly must: readonly string[]; readonly may: readonly string[] }>> = {
  testsuites: { must: [], may: ['name', 'time', 'tests', 'failures', 'errors'] },
  testsuite: {
    must: ['name', 'tests', 'failures', 'errors'],
    may: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
  },
  testcase: { must: ['name'], may: ['time', 'classname', 'group'] },
  property: { must: ['name', 'value'], may: [] },
  skipped: { must: [], may: ['type', 'message'] },
  error: { must: [], may: ['type', 'message'] },
  failure: { must: [], may: ['type', 'message'] },
};

interface Suite {
  readonly attributes: Readonly<Record<string, string>>;
  readonly seen: { tests: number; failures: number; errors: number; skipped: number };
}

/** Violations of these rules, and of the well-formedness that a test can check without a full XML parser; empty if there are none. */
export function junitFaults(xml: string): readonly string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const suites: Suite[] = [];
  if (!xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n')) faults.push('no XML declaration');
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml))
    faults.push('a character that XML 1.0 does not know');
  if (/\p{Cs}/u.test(xml)) faults.push('half a pair of surrogates');
  if (/&(?!(?:amp|lt|gt|quot|apos|#39);)/.test(xml)) faults.push('a bare ampersand');
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const parent = open.at(-1);
        if (parent === undefined ? name !== 'testsuites' : CHILDREN[parent]?.includes(name) !== true)
          faults.push(`<${name}> in <${parent ?? 'nothing'}>`);
        const { must, may } = ATTRIBUTES[name] ?? { must: [], may: [] };
        for (const each of must) if (attributes[each] === undefined) faults.push(`<${name}> without ${each}`);
        for (const each of Object.keys(attributes))
          if (!must.includes(each) && !may.includes(each)) faults.push(`<${name}> with ${each}`);
        if (name === 'testsuite') suites.push({ attributes, seen: { tests: 0, failures: 0, errors: 0, skipped: 0 } });
        const seen = suites.at(-1)?.seen;
        if (seen !== undefined && name === 'testcase') seen.tests += 1;
        if (seen !== undefined && name === 'failure') seen.failures += 1;
        if (seen !== undefined && name === 'skipped') seen.skipped += 1;
        open.push(name);
      },
      onclosetag: (name) => {
        if (open.pop() !== name) faults.push(`</${name}> out of place`);
      },
      ontext: (text) => {
        if (
          text.trim() !== '' &&
          !['system-out', 'system-err', 'failure', 'error', 'skipped'].includes(open.at(-1) ?? '')
        )
          faults.push(`text in <${open.at(-1) ?? 'nothing'}>`);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  for (const { attributes, seen } of suites)
    for (const [name, count] of Object.entries(seen))
      if (attributes[name] !== String(count))
        faults.push(`${attributes['name'] ?? ''}: ${name}="${attributes[name] ?? ''}", there are ${count}`);
  return faults;
}
