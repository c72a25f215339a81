/** Malformed HTTP, random by a seed: answers of origins and requests of clients, as bytes in Latin-1. */
import fc from 'fast-check';

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const noise = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: byte, maxLength });

const LENGTHS = ['0', '5', '-1', '+5', '5, 5', '5,6', '99999999999999999999', '9007199254740993', '0x5', '5 5', ''];
const CODINGS = ['chunked', 'gzip, chunked', 'chunked, identity', 'identity', '\x0bchunked', 'xchunked', 'CHUNKED'];
const CONNECTIONS = ['close', 'keep-alive', 'upgrade', 'content-length', 'transfer-encoding, close', 'te, x, ,,'];
const ODD_FIELDS = [
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Trailer: X',
  'Content-Encoding: br',
  'Keep-Alive: timeout=99999999999, max=-1',
  'Proxy-Authenticate: Basic realm="orbweaver"',
  'Proxy-Connection: close',
  'X-Orbweaver-Error: dns',
  'Expect: 100-continue',
  'Expect: 200-maybe',
  'X-Fold: a\r\n b',
  'X-Fold: a\r\n\tb\r\n ',
  ' Leading: blank',
  'NoColon',
  ': no name',
  'X Blank: y',
  'X-Nul: a\0b',
  'X-Return: a\rb',
  'X-Delete: \x7f',
  'Host: a\r\nHost: b',
];

const field: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...LENGTHS).map((value) => `Content-Length: ${value}`),
  fc.constantFrom(...CODINGS).map((value) => `Transfer-Encoding: ${value}`),
  fc.constantFrom(...CONNECTIONS).map((value) => `Connection: ${value}`),
  fc.constantFrom(...ODD_FIELDS),
  noise(20).map((value) => `X-Noise: ${value}`),
  noise(20).map((value) => `Location: /${value}`),
  noise(8).map((name) => `${name}: x`),
);
const large: fc.Arbitrary<string> = fc.constantFrom(
  `X-Long: ${'x'.repeat(300_000)}`,
  Array.from({ length: 10_000 }, () => 'A: b').join('\r\n'),
  Array.from({ length: 300 }, (_, index) => `X-${index}: b`).join('\r\n'),
);
const fields = fc
  .tuple(fc.array(field, { maxLength: 5 }), fc.option(large, { freq: 25 }))
  .map(([some, one]) => (one === null ? some : [...some, one]));
/** Mostly valid: parsers read only the first of several faults in a head. */
const mostlySane = fc.oneof(
  { weight: 2, arbitrary: fc.constant(['Content-Length: 5']) },
  { weight: 1, arbitrary: fc.constant(['Transfer-Encoding: chunked']) },
  { weight: 2, arbitrary: field.map((one) => [one]) },
  { weight: 1, arbitrary: fields },
);
const lineEnd = fc.oneof(
  { weight: 30, arbitrary: fc.constant('\r\n') },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '\r\r\n', '') },
);

const SECOND = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const body = fc.oneof(
  fc.constantFrom(
    '',
    'hello',
    'hello, and more than was said',
    '5\r\nhello\r\n0\r\n\r\n',
    '5\r\nhello\r\n',
    '8000000000000000\r\nx',
    'FFFFFFFFFFFFFFFFFFFF\r\nx',
    '-5\r\nhello\r\n0\r\n\r\n',
    '5;a=\0"\r\nhello\r\n0\r\nX-Trailer: \x07\r\n\r\n',
    '0\r\nContent-Length: 5\r\n\r\n',
    `0\r\n\r\n${SECOND}`,
    `hello${SECOND}${SECOND}`,
  ),
  noise(60),
);

const version = fc.oneof(
  { weight: 12, arbitrary: fc.constant('HTTP/1.1') },
  { weight: 2, arbitrary: fc.constant('HTTP/1.0') },
  { weight: 1, arbitrary: fc.constantFrom('HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', '') },
);
const status = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('200', '404', '500') },
  { weight: 2, arbitrary: fc.constantFrom('204', '304', '302', '407', '101', '100', '103', '199', '999') },
  { weight: 1, arbitrary: fc.constantFrom('000', '099', '1000', '-1', '2', 'abc') },
);
const reason = fc.oneof(fc.constantFrom('OK', '', 'O\x07K', 'a\rb', 'n\0l', '\x7f', 'verf\u00fcgbar'), noise(20));

const answerHead = fc
  .tuple(version, status, reason, mostlySane, lineEnd)
  .map(([protocol, code, words, lines, end]) => [`${protocol} ${code} ${words}`, ...lines, '', ''].join(end));
const whole = fc.constantFrom(
  '',
  '<title>HTTP/0.9</title>',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  '\x15\x03\x01\0\x02\x02\x28',
  `\r\n\r\n${SECOND}`,
  `${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(30)}${SECOND}`,
  `HTTP/1.1 100 Continue\r\n\r\n${SECOND}`,
  'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x05hello',
);

export interface HostileAnswer {
  readonly bytes: string;
  /** The position of the cut between the two pieces that are sent. */
  readonly cut: number;
  readonly end: 'end' | 'reset' | 'destroy';
}

/** An origin's answer to any request, and how it closes the connection. */
export const hostileAnswer: fc.Arbitrary<HostileAnswer> = fc.record({
  bytes: fc.oneof(
    { weight: 8, arbitrary: fc.tuple(answerHead, body).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: whole },
    { weight: 1, arbitrary: noise(80) },
  ),
  cut: fc.nat(400),
  end: fc.constantFrom('end', 'end', 'reset', 'destroy'),
});

export interface HostileRequest {
  /** Makes the bytes. @param host of the target origin @param credential the header line that admits a client */
  readonly write: (host: string, path: string, credential: string) => string;
}

const METHODS = 'GET GET GET HEAD POST PUT OPTIONS DELETE TRACE PATCH CONNECT CONNECT FOO PRI G\x07T'.split(' ');
const target = fc.oneof(
  { weight: 8, arbitrary: fc.constant((host: string, path: string) => `http://${host}${path}`) },
  { weight: 2, arbitrary: fc.constant((host: string, path: string) => `http://${host}${path}?\xff[]%zz#f`) },
  { weight: 3, arbitrary: fc.constant((host: string) => host) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/', '*', '', 'http://', 'https://x/', 'ws://x/', ':0').map((text) => () => text),
  },
  { weight: 1, arbitrary: noise(20).map((text) => (host: string) => `http://${host}/${text}`) },
);

/** A client's message to the proxy. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc
  .record({
    method: fc.constantFrom(...METHODS),
    target,
    version,
    fields: mostlySane,
    isAdmitted: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    isUpgrade: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    end: lineEnd,
    body,
  })
  .map((one) => ({
    write: (host, path, credential) =>
      [
        `${one.method} ${one.target(host, path)} ${one.version}`,
        `Host: ${host}`,
        ...(one.isAdmitted ? [credential] : []),
        ...(one.isUpgrade ? ['Connection: upgrade', 'Upgrade: websocket'] : []),
        ...one.fields,
        '',
        one.body,
      ].join(one.end),
  }));

/** A request as a browser sends it. */
export const plainRequest: fc.Arbitrary<HostileRequest> = fc
  .constantFrom('GET', 'GET', 'HEAD', 'POST')
  .map((method) => ({
    write: (host, path, credential) =>
      [`${method} http://${host}${path} HTTP/1.1`, `Host: ${host}`, credential, 'Content-Length: 0', '', ''].join(
        '\r\n',
      ),
  }));
