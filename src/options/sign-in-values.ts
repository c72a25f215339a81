/** The values of `httpAuth`, `login` and `signedIn`. No message repeats a password. */
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { globFault } from '../core/scope/url-glob.ts';
import { readSignedInMark, type SignedInMark } from '../core/sign-in/signed-in-mark.ts';
import { httpAuthFault, httpAuthPlace } from '../model/http-auth.ts';
import { refused, several, single, type ValueType } from './value-type.ts';

/** Each `user:password@host`, one for a host. */
export const httpAuthTexts: ValueType<readonly string[]> = {
  ...several(
    z
      .array(
        z.string().refine((text) => httpAuthFault(text) === null, {
          error: (issue) => httpAuthFault(String(issue.input)) ?? '',
        }),
      )
      .refine((texts) => repeatedPlace(texts) === null, {
        error: (issue) => `${repeatedPlace(issue.input) ?? ''} is given twice: one user and password for a host`,
      }),
    'user:password@host, the host perhaps with a port or behind https://',
    (text) => {
      const why = httpAuthFault(text.trim());
      return why === null ? { kind: 'read', value: [text.trim()] } : { ...refused(text), why };
    },
  ),
  secret: true,
};

const LOGIN_FILE = /\.(?:ya?ml|json|[cm]?js)$/i;
const LOGIN_FAULT = 'the file must be YAML (.yaml, .yml, .json) with steps, or a JavaScript module (.mjs, .js)';

/** Path of a file with steps, or of a module. */
export const loginFile: ValueType<string> = {
  ...single(
    z.string().regex(LOGIN_FILE, { error: LOGIN_FAULT }),
    'the path of a file with steps (.yaml, .yml) or of a JavaScript module (.mjs, .js)',
    'a text',
    (text) => (LOGIN_FILE.test(text) && !text.startsWith('-') ? text : null),
  ),
  rooted: (text, folder) => (isAbsolute(text) ? text : resolve(folder, text)),
};

/** A mark of pages that were loaded signed in, as core/sign-in/signed-in-mark.ts reads it. */
export const signedInMark: ValueType<string> = {
  ...single(
    z.string().refine((text) => markFault(text) === null, { error: (issue) => markFault(String(issue.input)) ?? '' }),
    'selector:<css>, url:<glob> or cookie:<name>, with ! behind the colon for the contrary, as in url:!/login**',
    'a text',
    String,
  ),
  read: (all) => {
    const text = (all.at(-1) ?? '').trim();
    const why = markFault(text);
    return why === null ? { kind: 'read', value: text } : { ...refused(text), why };
  },
};

/** The mark of a checked option; null for one that does not pass the check. */
export function signedInMarkOf(text: string): SignedInMark | null {
  const mark = readSignedInMark(text);
  return mark.kind === 'refused' ? null : mark;
}

function markFault(text: string): string | null {
  const mark = readSignedInMark(text);
  if (mark.kind === 'refused') return mark.why;
  const fault = mark.kind === 'url' ? globFault(mark.glob) : null;
  return fault === null ? null : `the glob ${fault}`;
}

function repeatedPlace(texts: unknown): string | null {
  const places = Array.isArray(texts) ? texts.map((text) => httpAuthPlace(String(text)).toLowerCase()) : [];
  return places.find((place, index) => places.indexOf(place) !== index) ?? null;
}
