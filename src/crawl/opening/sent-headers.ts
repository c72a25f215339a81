import { httpAuthHeaders } from '../../model/http-auth.ts';
import { userHeaders, type UserHeaders } from '../../model/user-headers.ts';
import type { ParsedOptions } from '../../options/options.ts';

interface SentHeaders {
  /** Those of `--http-auth` alone: robots.txt gets them, too. */
  readonly httpAuth: UserHeaders;
  /** All that pages are asked for with. */
  readonly extraHeaders: UserHeaders;
}

/** The user's headers, each with the origins that it is sent to. */
export function sentHeaders(
  { headers, headerOrigins, httpAuth: passwords }: ParsedOptions,
  seeds: readonly string[],
): SentHeaders {
  const httpAuth = httpAuthHeaders(passwords, seeds);
  const own = userHeaders(headers, headerOrigins.length > 0 ? headerOrigins : seeds);
  return { httpAuth, extraHeaders: [...own, ...httpAuth] };
}
