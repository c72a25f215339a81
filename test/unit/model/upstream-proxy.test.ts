import { expect, test } from 'vitest';
import { readUpstreamProxy } from '../../../src/model/upstream-proxy.ts';

test.each([
  ['http://proxy.example:3128', 'http://proxy.example:3128'],
  ['HTTP://Proxy.Example', 'http://proxy.example:80'],
  ['https://proxy.example/', 'https://proxy.example:443'],
  ['socks5://10.0.0.1', 'socks5://10.0.0.1:1080'],
  ['socks5h://10.0.0.1:80', 'socks5://10.0.0.1:80'],
  ['http://[FD00::1]:8080', 'http://[fd00::1]:8080'],
  ['https://[::1]', 'https://[::1]:443'],
  ['http://me:1234@proxy.example', 'http://proxy.example:80'],
])('%s is %s', (text, name) => {
  expect(readUpstreamProxy(text)).toMatchObject({ kind: 'read', proxy: { name } });
});

test.each([
  'proxy.example:3128',
  'socks4://h:1',
  'http://h:1/path',
  'http://h:1?x',
  'http://h:1#x',
  'http://h:0',
  'http://h:65536',
  'http://h\\@i:1',
  'http://a b:1',
  'http://me:pw:x@:1',
  'http://a%3Ab:pw@h:1',
  `http://${'h'.repeat(3000)}`,
])('%s is refused', (text) => {
  expect(readUpstreamProxy(text)).toMatchObject({ kind: 'refused' });
});
