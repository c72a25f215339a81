/** Serves figures of this process: `/metrics` for Prometheus, `/healthz` for supervisors that restart ill processes. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { withDeadline } from '../../base/deadline.ts';
import { CrawlError } from '../../base/errors.ts';
import { seconds, type Milliseconds } from '../../base/units.ts';
import { exposition, EXPOSITION_TYPE, type Metric } from '../../core/metrics/exposition.ts';

interface Watched {
  /** Why the process is ill, in words; null where it is well. */
  readonly illness: () => string | null;
  readonly metrics: () => Promise<readonly Metric[]>;
  /** Longest wait for the figures; default 5 s. */
  readonly limit?: Milliseconds;
}

const LOOPBACK = '127.0.0.1';
/** A Redis that is away answers nothing, and whoever asks for figures waits ten seconds, as Prometheus does unless told otherwise. */
const FIGURES_LIMIT = seconds(5);
const NEVER = new AbortController().signal;

/**
 * Listens until it is disposed.
 * @param place a port of loopback, or `address:port`
 * @throws {CrawlError} USAGE where the place cannot be listened on
 */
export async function openMetricsServer(place: string, watched: Watched): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    void answer(request.url ?? '', watched).then(({ status, type, body }) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    });
  });
  const [, host = LOOPBACK, port = ''] = /^(?:\[?(.*?)\]?:)?(\d+)$/.exec(place) ?? [];
  server.listen(Number(port), host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new CrawlError('USAGE', `metrics: nobody can listen at ${host}:${port} (${why}): give another port`, {
      cause,
      data: { option: 'metrics' },
    });
  }
  server.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Never rejects. */
async function answer(path: string, { illness, metrics, limit = FIGURES_LIMIT }: Watched): Promise<Answer> {
  const type = 'text/plain; charset=utf-8';
  switch (path) {
    case '/healthz': {
      const why = illness();
      return { status: why === null ? 200 : 503, type, body: `${why ?? 'ok'}\n` };
    }
    case '/metrics':
      return withDeadline(metrics(), 'the figures', limit, NEVER).then(
        (all) => ({ status: 200, type: EXPOSITION_TYPE, body: exposition(all) }),
        () => ({ status: 503, type, body: 'Redis does not answer\n' }),
      );
    default:
      return { status: 404, type, body: 'there are /metrics and /healthz\n' };
  }
}
