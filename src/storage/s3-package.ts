/** The package that signs requests to S3-compatible storage. It is optional: a crawl with snapshots on disk does not need it. */
import type { AwsClient } from 'aws4fetch';
import { CrawlError } from '../base/errors.ts';

const S3_PACKAGE = 'aws4fetch';

export interface S3Package {
  readonly AwsClient: typeof AwsClient;
}

/** Loads the package; tests pass another loader. @throws {CrawlError} PACKAGE_MISSING */
export async function loadS3(load: () => Promise<S3Package> = () => import('aws4fetch')): Promise<S3Package> {
  return load().catch((cause: unknown) => {
    const message = `a storage of snapshots is written to by the package ${S3_PACKAGE}, which is not installed here\nInstall it: npm install ${S3_PACKAGE}`;
    throw new CrawlError('PACKAGE_MISSING', message, { cause, data: { package: S3_PACKAGE } });
  });
}
