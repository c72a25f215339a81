import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import { EgressError } from '../egress-error.ts';
import type { Connection } from './connection.ts';

/** Opens the connections that the agent keeps. */
export interface Connector {
  connect(hostName: string, port: number, signal: AbortSignal): Promise<Connection>;
}

/**
 * node:http's pool of kept-alive connections over guarded ones. (A subclass because that is node's way to give an agent
 * its connections.)
 */
export class GuardedAgent extends Agent {
  readonly #connector: Connector;
  readonly #signal: AbortSignal;

  /** @param signal ends connections that are being opened */
  constructor(connector: Connector, options: AgentOptions, signal: AbortSignal) {
    super(options);
    this.#connector = connector;
    this.#signal = signal;
  }

  override createConnection(
    options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    // node calls it with an error alone; its declaration wants a stream in any case.
    const answer: (error: Error | null, stream?: Duplex) => void = (error, stream) => {
      Reflect.apply(callback ?? ignore, undefined, [error, stream]);
    };
    this.#connector.connect(String(options.host), Number(options.port), this.#signal).then(
      (connection) => {
        if (connection.kind === 'connected') answer(null, connection.socket);
        else answer(new EgressError(connection));
      },
      (error: unknown) => answer(error instanceof Error ? error : new Error('given up', { cause: error })),
    );
    return undefined;
  }
}

function ignore(): void {}
