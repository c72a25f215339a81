/** Takes known noise out of a difference. */
import type { PictureDifference } from './compare-pixels.ts';
import type { PictureRegion } from './picture-regions.ts';

type Figures<Region> = Omit<PictureDifference, 'mask' | 'regions'> & { readonly regions: readonly Region[] };
type Left<Region> = Pick<Figures<Region>, 'share' | 'uncompared' | 'regions' | 'regionsTotal'>;

/** @param open the regions that are no noise. @param isSizeNoise the page has another height from crawl to crawl */
export function unmasked<Region extends PictureRegion>(
  { different, uncompared, share, regions, regionsTotal }: Figures<Region>,
  open: readonly Region[],
  isSizeNoise: boolean,
): Left<Region> {
  const pixels = (of: readonly Region[]): number => of.reduce((sum, region) => sum + region.pixels, 0);
  const differing = different + uncompared;
  const all = share === 0 ? 1 : differing / share;
  const masked = pixels(regions) - pixels(open);
  const rest = isSizeNoise ? 0 : uncompared;
  return {
    share: (different - masked + rest) / all,
    uncompared: rest,
    regions: open,
    regionsTotal: regionsTotal - (regions.length - open.length),
  };
}
