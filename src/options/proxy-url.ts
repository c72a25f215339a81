/** The value of `proxy`: the URL of a proxy, which may hold a user and a password. No message repeats it. */
import { z } from 'zod';
import { readUpstreamProxy } from '../model/upstream-proxy.ts';
import { refused, single, type ValueType } from './value-type.ts';

export const proxyUrl: ValueType<string> = {
  ...single(
    z.string().refine((text) => whyNot(text) === null, { error: (issue) => whyNot(String(issue.input)) ?? '' }),
    'http://host:port, https://host:port or socks5://host:port',
    'a text',
    String,
  ),
  secret: true,
  read: (all) => {
    const text = (all.at(-1) ?? '').trim();
    const why = whyNot(text);
    return why === null ? { kind: 'read', value: text } : { ...refused(text), why };
  },
};

function whyNot(text: string): string | null {
  const reading = readUpstreamProxy(text);
  return reading.kind === 'refused' ? reading.why : null;
}
