/** The values of `pageScripts` and `extensionFiles`: files with code of the user. */
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { globFault } from '../core/scope/url-glob.ts';
import { refused, several, type ValueType } from './value-type.ts';

const MODULE = /\.[cm]?js$/i;

/** A page script: a file, and the pages for which it runs. */
export interface PageScript {
  readonly glob: string;
  readonly file: string;
}

/** Reads `glob=file`, by its last `=`: the glob of a query has some as well. */
export function splitPageScript(text: string): PageScript {
  const [, glob = '', file = ''] = /^(.*)=(.*)$/s.exec(text) ?? [];
  return { glob: glob.trim(), file: file.trim() };
}

/** Each `glob=file`. */
export const pageScripts: ValueType<readonly string[]> = {
  ...modules('a glob of URLs, = and a JavaScript module, as in "/shop/**=open-filters.mjs"', pageScriptFault),
  rooted: (text, folder) => {
    const { glob, file } = splitPageScript(text);
    return file === '' ? text : `${glob}=${rooted(file, folder)}`;
  },
};

/** Each the path of a module. */
export const extensionFiles: ValueType<readonly string[]> = {
  ...modules('the path of a JavaScript module (.mjs or .js)', moduleFault),
  rooted,
};

function modules(accepts: string, fault: (text: string) => string | null): ValueType<readonly string[]> {
  const text = z
    .string()
    .refine((given) => fault(given) === null, { error: ({ input }) => fault(String(input)) ?? 'is no module' });
  return several(z.array(text), accepts, (given) => {
    const why = fault(given);
    return why === null ? { kind: 'read', value: [given] } : { ...refused(given), why };
  });
}

function pageScriptFault(text: string): string | null {
  const { glob, file } = splitPageScript(text);
  if (glob === '' || file === '') return 'it must be written glob=file';
  const fault = globFault(glob);
  return fault === null ? moduleFault(file) : `the glob ${fault}`;
}

function moduleFault(file: string): string | null {
  return MODULE.test(file) ? null : 'the file must be a JavaScript module: .mjs or .js';
}

function rooted(file: string, folder: string): string {
  return isAbsolute(file) ? file : resolve(folder, file);
}
