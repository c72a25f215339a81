/** An EventSource that never closes. */
import type { ServerResponse } from 'node:http';

/** Answers with one comment, then with an event at each interval. @param every milliseconds between two events; 0 for none */
export function sendEvents(response: ServerResponse, every: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(': open\n\n');
  if (every === 0) return;
  const timer = setInterval(() => response.write('data: tick\n\n'), every);
  response.once('close', () => clearInterval(timer));
}
