/** Notes for the user on private addresses beside those of the seeds, which pages asked for in vain: an application's other servers, mostly. */
import type { Notes } from './notes.ts';

/** Endpoints that are named; a page may ask for every port of a machine. */
const NAMED = 5;

/** Says once for an endpoint that requests to it are stopped, and how to let them through. */
export function privateAddressNote(notes: Notes): (name: string, port: number) => void {
  const named = new Set<string>();
  return (name, port) => {
    const endpoint = `${name.includes(':') ? `[${name}]` : name}:${port}`;
    if (named.size >= NAMED || named.has(endpoint)) return;
    named.add(endpoint);
    notes.say(
      `requests to ${endpoint} are stopped, a private address that no seed has: --allow-private ${endpoint} lets them through`,
    );
  };
}
