/** The flag that lets a crawl go on beyond the limit that it ended at. */
import type { GoingOn } from '../../crawl/crawl.ts';
import { sizeText } from '../../options/quantity-grammar.ts';
import { flagOfOption } from './flag-lookup.ts';

/** ` --limit 2000`: twice the reached limit, as a suggestion; empty where no limit must be raised. */
export function raisingFlag({ above }: GoingOn): string {
  if (above === null) return '';
  const value = above.value * 2;
  const text = above.option === 'sizeLimit' ? sizeText(value) : String(value);
  return ` --${flagOfOption(above.option)?.name ?? above.option} ${text}`;
}
