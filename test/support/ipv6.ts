import { networkInterfaces } from 'node:os';

/** Has this machine ::1? Containers may lack it. */
export const HAS_IPV6: boolean = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === '::1'),
);
