/**
 * A strict S3-compatible server on loopback: one bucket, path-style, objects in memory. It recomputes each signature (AWS Signature Version
 * 4, as documented) and refuses a wrong one, so a client that signs wrongly stores nothing.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export const KEY = { id: 'AKIATESTKEY', secret: 'hush/Very+Secret' } as const;
export const BUCKET = 'snapshots';
const REGION = 'eu-test-1';

/** The refusal of a request, in place of an answer. */
export type Refusal = { readonly status: number; readonly code: string } | 'silence';

export interface S3Server extends AsyncDisposable {
  readonly url: string;
  /** Environment variables for its clients. */
  readonly variables: Readonly<Record<string, string>>;
  readonly objects: Map<string, Buffer>;
  /** `PUT key 200`, in order. */
  readonly log: string[];
  /** Called for each request; null accepts it. */
  refuse: (method: string, key: string) => Refusal | null;
}

export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const log: string[] = [];
  const state: { refuse: S3Server['refuse'] } = { refuse: () => null };
  const server = createServer((request, response) => void respond(request, response));

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    const [, bucket = '', ...rest] = url.split('/');
    const key = decodeURIComponent(rest.join('/'));
    const end = (status: number, code = '', content: Buffer | string = ''): void => {
      log.push(`${method} ${key} ${status}`);
      const error = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} of the test</Message></Error>`;
      response.writeHead(status).end(code === '' ? content : error);
    };
    const fault = signatureFault(request, body);
    if (fault !== null) return end(403, fault);
    if (bucket !== BUCKET) return end(404, 'NoSuchBucket');
    const refusal = state.refuse(method, key);
    if (refusal === 'silence') return void log.push(`${method} ${key} silence`);
    if (refusal !== null) return end(refusal.status, refusal.code);
    if (method === 'PUT') {
      objects.set(key, body);
      return end(200);
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return end(204);
    }
    const found = objects.get(key);
    return found === undefined ? end(404, 'NoSuchKey') : end(200, '', found);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const variables = {
    AWS_ENDPOINT_URL: url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: KEY.id,
    AWS_SECRET_ACCESS_KEY: KEY.secret,
  };
  return {
    url,
    variables,
    objects,
    log,
    get refuse() {
      return state.refuse;
    },
    set refuse(refuse) {
      state.refuse = refuse;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** The error code of a bad signature; null if the key signed the request with this body. */
function signatureFault({ method = '', url = '', headers }: IncomingMessage, body: Buffer): string | null {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (given === null) return 'AccessDenied';
  const [, id, day = '', region = '', signed = '', signature = ''] = given;
  if (id !== KEY.id) return 'InvalidAccessKeyId';
  if (region !== REGION) return 'AuthorizationHeaderMalformed';
  const date = String(headers['x-amz-date'] ?? '');
  const sent = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(sent - Date.now()) < 15 * 60_000) || !date.startsWith(day)) return 'RequestTimeTooSkewed';
  const names = signed.split(';');
  if (!names.includes('host') || !names.includes('x-amz-content-sha256')) return 'AccessDenied';
  const digest = String(headers['x-amz-content-sha256']);
  if (digest !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const [path = '', query = ''] = url.split('?');
  const lines = names.map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const canonical = [method, path, query, lines.join(''), signed, digest].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n');
  const key = ['aws4_request'].reduce(hmac, hmac(hmac(hmac(`AWS4${KEY.secret}`, day), region), 's3'));
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
}
