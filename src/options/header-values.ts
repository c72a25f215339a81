/** The values of `headers` and `headerOrigins`: headers to send, and their destinations. No message repeats a header's value. */
import { z } from 'zod';
import { HEADER_LINE, headerFault, splitHeaderLine, webOrigin } from '../model/user-headers.ts';
import { texts } from './text-type.ts';
import type { ValueType } from './value-type.ts';

/** Lines `Name: value`, each name once. */
export const headerLines: ValueType<readonly string[]> = texts(
  { accepts: 'a header line such as "Name: value"', pattern: HEADER_LINE, secret: true },
  z
    .array(z.string().refine((line) => headerFault(line) === null, { error: (issue) => faultOf(issue.input) }))
    .refine((lines) => repeatedHeader(lines) === null, {
      error: (issue) => `the header ${repeatedHeader(issue.input)} is given twice: put its values into one line`,
    }),
);

/** Each a scheme, a host and perhaps a port; as the URL Standard writes them when they are read. */
export const headerOrigins: ValueType<readonly string[]> = texts(
  {
    accepts: 'an origin, as in https://example.org or http://localhost:8080',
    pattern: /^https?:\/\/[^\s/]+\/?$/i,
  },
  z.array(
    z
      .string()
      .refine(isOrigin, { error: 'must be a scheme, a host and perhaps a port, as in https://example.org:8443' })
      .transform((text) => webOrigin(text) ?? text),
  ),
);

function faultOf(input: unknown): string {
  return headerFault(String(input)) ?? 'is no header';
}

/** A name that two lines share; null where all differ. */
function repeatedHeader(lines: unknown): string | null {
  const names = Array.isArray(lines) ? lines.map((line) => splitHeaderLine(String(line))[0].toLowerCase()) : [];
  return names.find((name, index) => names.indexOf(name) !== index) ?? null;
}

/** Is the text an origin and no more? A user or a path would suggest that it is more. */
function isOrigin(text: string): boolean {
  const origin = webOrigin(text);
  if (origin === null) return false;
  const { username, password, pathname, search, hash } = new URL(text);
  return username === '' && password === '' && pathname === '/' && search === '' && hash === '';
}
