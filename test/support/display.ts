/**
 * A virtual display for tests that open a window: an X server of its own (Xvfb), whatever display the machine has. The test acts on
 * window frames by the X protocol (version 11), since there is no window manager to ask.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';

export interface Display extends AsyncDisposable {
  /** As in the variable DISPLAY: `:7`. */
  readonly name: string;
  /** Asks every window to close, as the button in its corner does. */
  closeWindows(): Promise<void>;
}

/** @throws if there is no Xvfb, with the command that installs it: a test without its window would prove nothing */
export async function openDisplay(): Promise<Display> {
  // it takes a free number and prints it; it listens only on a local socket, for any user of this machine
  const args = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp', '-ac'];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'close').catch((error: NodeJS.ErrnoException) => error);
  const number = await new Promise<string>((resolve, reject) => {
    (server.stdio[3] as Readable).once('data', (data: Buffer) => resolve(data.toString().trim()));
    void ended.then((error) => reject(new Error(`no Xvfb (${String(error)}): apt-get install xvfb`)));
  });
  return {
    name: `:${number}`,
    closeWindows: () => closeWindows(`/tmp/.X11-unix/X${number}`),
    [Symbol.asyncDispose]: async () => {
      server.kill();
      await ended;
    },
  };
}

/** Request codes, from the protocol. */
const INTERN_ATOM = 16;
const QUERY_TREE = 15;
const SEND_EVENT = 25;
const GET_INPUT_FOCUS = 43;
const CLIENT_MESSAGE = 33;

async function closeWindows(path: string): Promise<void> {
  const socket = connect(path);
  try {
    const read = reader(socket);
    const ask = async (request: Buffer): Promise<Buffer> => {
      socket.write(request);
      for (;;) {
        const head = await read(32);
        // errors belong to windows that have closed meanwhile
        if (head[0] === 1) return Buffer.concat([head, await read(head.readUInt32LE(4) * 4)]);
      }
    };
    socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    const setup = await read(8);
    const about = await read(setup.readUInt16LE(6) * 4);
    const vendor = Math.ceil(about.readUInt16LE(16) / 4) * 4;
    const root = about.readUInt32LE(32 + vendor + about.readUInt8(21) * 8);
    const protocols = (await ask(internAtom('WM_PROTOCOLS'))).readUInt32LE(8);
    const deletes = (await ask(internAtom('WM_DELETE_WINDOW'))).readUInt32LE(8);
    const tree = await ask(words([QUERY_TREE | (2 << 16), root]));
    for (let index = 0; index < tree.readUInt16LE(16); index++) {
      const window = tree.readUInt32LE(32 + index * 4);
      const event = [CLIENT_MESSAGE | (32 << 8), window, protocols, deletes, 0, 0, 0, 0];
      socket.write(words([SEND_EVENT | (11 << 16), window, 0, ...event]));
    }
    await ask(words([GET_INPUT_FOCUS | (1 << 16)])); // answered after all the others
  } finally {
    socket.destroy();
  }
}

function internAtom(name: string): Buffer {
  const padded = Buffer.alloc(Math.ceil(name.length / 4) * 4);
  padded.write(name);
  return Buffer.concat([words([INTERN_ATOM | ((2 + padded.length / 4) << 16), name.length]), padded]);
}

function words(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value >>> 0, index * 4);
  return buffer;
}

function reader(socket: Socket): (length: number) => Promise<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let more = (): void => {};
  socket.on('data', (data: Buffer) => {
    held = Buffer.concat([held, data]);
    more();
  });
  return async (length) => {
    while (held.length < length) await new Promise<void>((resolve) => (more = resolve));
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  };
}
