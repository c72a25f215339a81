/** Opens what keeps a crawl signed in: its sign-ins, the way to sign in, and the guard that looks after both. */
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Milliseconds } from '../../base/units.ts';
import { LOGIN_PICTURE } from '../../crawl-folder/replacement.ts';
import { writeWholeFile } from '../../crawl-folder/whole-file.ts';
import type { PageLoader } from '../../fetch/load-page.ts';
import type { HostKey } from '../../model/url/host-key.ts';
import type { CanonicalUrl } from '../../model/url/canonical-url.ts';
import type { ParsedOptions } from '../../options/options.ts';
import { signedInMarkOf } from '../../options/sign-in-values.ts';
import type { Renderer } from '../../render/renderer.ts';
import type { CrawlEnvironment } from '../crawl-environment.ts';
import type { DeferredRecorder } from '../opening/deferred-recorder.ts';
import { openSignIns, type CrawlSignIns } from '../opening/open-sign-ins.ts';
import { createLogIn } from './log-in.ts';
import { readLoginFile, type LoginFile } from './login-file.ts';
import { SessionGuard } from './session-guard.ts';

/** Disposing it writes the last state; it must outlive the browser. */
export interface OpenedSignIn extends AsyncDisposable {
  readonly signIns: CrawlSignIns;
  /** Values that no log may repeat; more of them after a sign-in. The same list for as long as it does not change. */
  secrets(): readonly string[];
  /** @throws nothing; the crawl has not signed in yet */
  guard(needs: GuardNeeds): SessionGuard;
}

interface GuardNeeds {
  readonly loader: PageLoader;
  readonly renderer: Renderer | null;
  /** Path of the crawl folder. */
  readonly folder: string;
  readonly recorder: DeferredRecorder | null;
  /** Pause between two loads of a host. */
  readonly delayOf: (host: HostKey) => Milliseconds;
}

interface SignInParts {
  readonly environment: CrawlEnvironment;
  readonly seeds: readonly CanonicalUrl[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Reads the files that the options name. @throws {CrawlError} USAGE */
export async function openSignIn(options: ParsedOptions, parts: SignInParts): Promise<OpenedSignIn> {
  const { environment, seeds, clock, log } = parts;
  const { workingFolder, variables = {} } = environment;
  const { login, storageState } = options;
  const file =
    login === undefined ? null : await readLoginFile(login, { workingFolder, variables, start: seeds[0] ?? '' });
  const signIns = await openSignIns(storageState, { seeds, workingFolder, signsIn: file !== null, clock, log });
  let known: { readonly of: readonly string[]; readonly all: readonly string[] } | null = null;
  return {
    signIns,
    secrets: () => {
      if (known?.of !== signIns.secrets)
        known = { of: signIns.secrets, all: [...(file?.secrets ?? []), ...signIns.secrets] };
      return known.all;
    },
    guard: (needs) => guardOf(options, { ...parts, ...needs, file, signIns }),
    [Symbol.asyncDispose]: () => signIns[Symbol.asyncDispose](),
  };
}

type GuardParts = SignInParts & GuardNeeds & { readonly file: LoginFile | null; readonly signIns: CrawlSignIns };

function guardOf({ signedIn }: ParsedOptions, parts: GuardParts): SessionGuard {
  const { loader, renderer, file, folder, recorder, ...rest } = parts;
  const mark = signedIn === undefined ? null : signedInMarkOf(signedIn);
  return new SessionGuard({
    ...rest,
    mark,
    load: (visit, signal) => loader.load(visit, signal),
    logIn: file === null || renderer === null ? null : createLogIn(file, { renderer, mark, clock: parts.clock }),
    renew: () => renderer?.renewSignIns(),
    mute: () => recorder?.mute() ?? (() => {}),
    keepPicture: async (picture) => {
      const path = join(folder, LOGIN_PICTURE);
      return writeWholeFile(path, picture).then(
        () => path,
        () => null,
      );
    },
  });
}
