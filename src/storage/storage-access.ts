/** Access of this machine to an S3-compatible storage, from variables that other tools read, too. Their values are only used in signatures. */
import { CrawlError } from '../base/errors.ts';
import { parsedUrl } from '../base/parsed-url.ts';

interface StorageAccess {
  /** URL without a slash at its end. Buckets are the first segment of its paths. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

const USUAL_REGION = 'us-east-1';

/** @param name of the storage, for messages @throws {CrawlError} STORAGE_UNUSABLE */
export function storageAccess(name: string, variables: Readonly<Record<string, string | undefined>>): StorageAccess {
  const valueOf = (...names: readonly string[]): string | undefined =>
    names.map((each) => variables[each]).find((value) => value !== undefined && value !== '');
  const accessKeyId = valueOf('AWS_ACCESS_KEY_ID');
  const secretAccessKey = valueOf('AWS_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    const missing = accessKeyId === undefined ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY';
    throw unusable(`the storage ${name} wants a key, and ${missing} is not set on this machine`);
  }
  const region = valueOf('AWS_REGION', 'AWS_DEFAULT_REGION') ?? USUAL_REGION;
  const endpoint = valueOf('AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL') ?? `https://s3.${region}.amazonaws.com`;
  const url = parsedUrl(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw unusable(`AWS_ENDPOINT_URL is no http(s) URL of a server: ${url === null ? endpoint : url.origin}`);
  const sessionToken = valueOf('AWS_SESSION_TOKEN');
  return { endpoint: url.href.replace(/\/+$/, ''), region, accessKeyId, secretAccessKey, sessionToken };
}

function unusable(message: string): CrawlError {
  const cure =
    'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL and AWS_REGION for another storage than that of AWS.';
  return new CrawlError('STORAGE_UNUSABLE', `${message}\n${cure}`);
}
