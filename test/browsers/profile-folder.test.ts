/** Profiles of browsers: which are removed, and which are left alone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lchown, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProfile, removeLeftProfiles } from '../../browsers/launch/profile-folder.ts';

const ROOT = process.getuid?.() === 0;
const NOBODY = 65534;

let base = '';
let parent = '';
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'orbweaver-profiles-'));
  parent = join(base, 'tmp');
  await mkdir(parent);
  await chmod(base, 0o755);
  await chmod(parent, 0o1777);
});
afterEach(() => rm(base, { recursive: true, force: true }));

/** The pid of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

/** A profile like one that a killed process leaves. */
async function leftProfile(): Promise<string> {
  const { path } = await makeProfile(parent);
  await mkdir(join(path, 'Default'));
  await writeFile(join(path, 'Default', 'Cookies'), 'x');
  const folder = dirname(path);
  const left = folder.replace(/-\d+-\d*-(\w+)$/, `-${await deadPid()}-1-$1`);
  await rename(folder, left);
  return left;
}

describe('the profile of a browser', () => {
  it('is removed with all that it holds', async () => {
    const profile = await makeProfile(parent);
    await writeFile(join(profile.path, 'Cookies'), 'x');
    await profile.remove();
    const another = await makeProfile(parent);
    await writeFile(join(another.path, 'Cookies'), 'x');
    another.removeAtOnce();
    expect(await readdir(parent)).toEqual([]);
  });

  it('is left alone while its owner lives', async () => {
    const profile = await makeProfile(parent);
    expect(await removeLeftProfiles(parent)).toBe(0);
    expect(await readdir(parent)).toEqual([basename(dirname(profile.path))]);
  });

  it('is removed by a later run where its owner was killed', async () => {
    await leftProfile();
    expect(await removeLeftProfiles(parent)).toBe(1);
    expect(await readdir(parent)).toEqual([]);
  });

  it('is removed where another process has got the number of its owner', async () => {
    const { path } = await makeProfile(parent);
    const folder = dirname(path);
    await rename(folder, folder.replace(/-\d*-(\w+)$/, '-1-$1')); // our number, another start
    expect(await removeLeftProfiles(parent)).toBe(1);
  });

  it('is left alone where its owner has its number from another kernel or namespace', async () => {
    const left = await leftProfile();
    await rename(left, left.replace(/browser-[0-9a-f]{12}/, 'browser-000000000000'));
    expect(await removeLeftProfiles(parent)).toBe(0);
    expect(await readdir(parent)).toHaveLength(1);
  });

  it('is no link to something else, and no file', async () => {
    const left = await leftProfile();
    const precious = join(base, 'precious');
    await rename(left, precious);
    await symlink(precious, left);
    await writeFile(left.replace(/\w$/, '_'), 'x');
    expect(await removeLeftProfiles(parent)).toBe(0);
    expect(await readFile(join(precious, 'profile', 'Default', 'Cookies'), 'utf8')).toBe('x');
  });

  it('may hold links to other places, which are not followed', async () => {
    const precious = join(base, 'precious');
    await mkdir(precious);
    await writeFile(join(precious, 'file'), 'x');
    const left = await leftProfile();
    await symlink(precious, join(left, 'profile', 'Default', 'link'));
    expect(await removeLeftProfiles(parent)).toBe(1);
    expect(await readFile(join(precious, 'file'), 'utf8')).toBe('x');
  });

  it.runIf(ROOT)('of another user is left alone', async () => {
    const left = await leftProfile();
    await lchown(left, NOBODY, NOBODY);
    expect(await removeLeftProfiles(parent)).toBe(0);
    expect(await readdir(parent)).toEqual([basename(left)]);
  });

  it.runIf(ROOT)('that root gave away is emptied with no more rights than its user has', async () => {
    const left = await leftProfile();
    const profile = join(left, 'profile');
    await chmod(left, 0o711);
    for (const path of [profile, join(profile, 'Default'), join(profile, 'Default', 'Cookies')])
      await lchown(path, NOBODY, NOBODY);
    await mkdir(join(profile, 'of root'), { mode: 0o700 });
    await writeFile(join(profile, 'of root', 'file'), 'x');
    await removeLeftProfiles(parent);
    expect(await readdir(profile)).toEqual(['of root']);
    await rm(join(profile, 'of root'), { recursive: true });
    await removeLeftProfiles(parent);
    expect(await readdir(parent)).toEqual([]);
  });
});
