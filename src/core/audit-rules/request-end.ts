import type { FailedRequest } from '../../model/page-details.ts';

/** The failure of a request, in a word. */
export function requestEnd({ status, error }: Pick<FailedRequest, 'status' | 'error'>): string {
  return status === null ? (error ?? 'no answer') : String(status);
}
