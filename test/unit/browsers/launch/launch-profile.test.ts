import { describe, expect, it } from 'vitest';
import { launchProfile, type LaunchProfileOptions } from '../../../../browsers/launch/launch-profile.ts';

const options: LaunchProfileOptions = {
  flavour: 'headless-shell',
  proxyUrl: 'http://127.0.0.1:1',
  frameControl: true,
  sandbox: 'on',
  extraFlags: [],
};

describe('the flags of a launch', () => {
  it('send every request through the proxy, loopback too, and no UDP around it', () => {
    const { flags } = launchProfile(options);
    expect(flags).toEqual(
      expect.arrayContaining([
        '--proxy-server=http://proxy.orbweaver.invalid:1',
        '--host-resolver-rules=MAP proxy.orbweaver.invalid 127.0.0.1',
        '--proxy-bypass-list=<-loopback>',
        '--disable-quic',
        '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      ]),
    );
  });

  it('keep flood protection on', () => {
    expect(launchProfile(options).flags).not.toContain('--disable-ipc-flooding-protection');
  });

  it.each([
    ['headless-shell', true, true],
    ['headless-shell', false, false],
    ['chromium', true, false],
  ] as const)('for a %s with frame control %s have frame control: %s', (flavour, frameControl, expected) => {
    const { flags } = launchProfile({ ...options, flavour, frameControl });
    expect(flags.includes('--enable-begin-frame-control')).toBe(expected);
  });

  it.each(['on', 'off'] as const)('never take the sandbox away by themselves (%s)', (sandbox) => {
    const profile = launchProfile({ ...options, sandbox });
    expect(profile.flags.filter((flag) => /sandbox|site-isolation|web-security|single-process/.test(flag))).toEqual([]);
    expect(profile.sandbox).toBe(sandbox === 'on');
  });

  it('give pages no WebGL, for which the GPU process would lose its filter, but where somebody asks for it', () => {
    expect(launchProfile(options).flags).toEqual(
      expect.arrayContaining(['--disable-software-rasterizer', '--disable-3d-apis']),
    );
    expect(launchProfile(options).flags).not.toContain('--enable-unsafe-swiftshader');
    const { flags } = launchProfile({ ...options, webgl: true });
    expect(flags).toContain('--enable-unsafe-swiftshader');
    expect(flags.filter((flag) => /rasterizer|3d-apis/.test(flag))).toEqual([]);
  });

  it('name every feature to disable in one flag, because a second would replace the first', () => {
    const { flags } = launchProfile(options);
    expect(flags.filter((flag) => flag.startsWith('--disable-features='))).toHaveLength(1);
  });

  it('make one of all Blink settings, because a second flag would replace the first', () => {
    const { flags } = launchProfile({ ...options, extraFlags: ['--blink-settings=imagesEnabled=false'] });
    const settings = flags.filter((flag) => flag.startsWith('--blink-settings='));
    expect(settings).toEqual([expect.stringMatching(/primaryPointerType=4,.*,imagesEnabled=false$/)]);
  });

  it('say all to V8 in one flag, because a second would replace the first', () => {
    const { flags } = launchProfile(options);
    expect(flags.filter((flag) => flag.startsWith('--js-flags='))).toEqual([
      expect.stringMatching(/^--js-flags=--max-old-space-size=512 --invocation-count-for-maglev=1600 /),
    ]);
  });

  it('end with those of the caller, so that they win', () => {
    const { flags } = launchProfile({ ...options, extraFlags: ['--js-flags=--max-old-space-size=64'] });
    expect(flags.at(-1)).toBe('--js-flags=--max-old-space-size=64');
  });
});
