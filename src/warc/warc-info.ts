/** The first record of every file of an archive, which describes the crawl. */
import { oneLine } from './warc-record.ts';

export interface WarcInfo {
  /** Id of the crawl. */
  readonly crawl: string;
  /** `orbweaver/1.2.3` */
  readonly software: string;
  readonly userAgent: string;
  /** Is robots.txt obeyed? */
  readonly robots: boolean;
}

/** `application/warc-fields`, with the names that section 6.2 of the standard recommends. */
export function warcInfoBlock({ crawl, software, userAgent, robots }: WarcInfo): Buffer {
  const fields = {
    software,
    format: 'WARC File Format 1.1',
    conformsTo: 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
    isPartOf: crawl,
    robots: robots ? 'obey' : 'ignore',
    'http-header-user-agent': userAgent,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${oneLine(value)}\r\n`);
  return Buffer.from(lines.join(''));
}
