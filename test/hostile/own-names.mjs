// Preloaded into the command: resolves the fixture's names with the suite's own server.
import { syncBuiltinESMExports } from 'node:module';
import promises from 'node:dns/promises';

const server = process.env.HOSTILE_NAME_SERVER;
const { Resolver } = promises;
promises.Resolver = class extends Resolver {
  constructor(options) {
    super(options);
    this.setServers([server]);
  }
};
syncBuiltinESMExports();
