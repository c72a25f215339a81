/** Checks that an address for outgoing connections is one of this machine: otherwise every host would seem to be down. */
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { CrawlError } from '../base/errors.ts';
import { detailOf, errorCodeOf } from './network-failure.ts';

/**
 * @param option by which the user named the address
 * @throws {CrawlError} USAGE with the addresses that there are, where nothing can go out by this one
 */
export async function requireOwnAddress(address: string, option: string): Promise<void> {
  const error = await bindingError(address);
  if (error === null) return;
  const why = errorCodeOf(error) === 'EADDRNOTAVAIL' ? 'this machine does not have it' : detailOf(error);
  throw new CrawlError(
    'USAGE',
    `${option}: nothing can go out by ${address}: ${why}\nAddresses here: ${ownAddresses()}.`,
    {
      data: { option, address },
    },
  );
}

/** Tries to bind an address: a machine may have more addresses than it lists, as all of 127.0.0.0/8 are its own. */
function bindingError(host: string): Promise<Error | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port: 0, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function ownAddresses(): string {
  const all = Object.values(networkInterfaces()).flatMap((interfaces = []) => interfaces.map(({ address }) => address));
  return [...new Set(all)].join(', ');
}
