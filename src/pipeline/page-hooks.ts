/** The page hooks of extensions, prepared for the renderer: globs are parsed, and synchronous work has a time limit. */
import type { Log } from '../base/log.ts';
import { urlGlob } from '../core/scope/url-glob.ts';
import type { HookFunction, PageHook } from '../render/hooks/page-hook.ts';
import { boundedCall } from './bounded-call.ts';
import { createComplaints, type Complaints } from './complaints.ts';
import type { Extension, PageHookDefinition } from './extension.ts';
import { wordsOf } from './processors.ts';

/** @returns hooks named `extension/name`; `matches` never throws */
export function createPageHooks(extensions: readonly Extension[], log: Log): readonly PageHook[] {
  const complaints = createComplaints(log);
  return extensions.flatMap((extension) =>
    extension.pageHooks.map((hook): PageHook => {
      const name = `${extension.name}/${hook.name}`;
      return {
        name,
        matches: matcherOf(name, hook, complaints),
        before: bounded(hook, hook.before),
        settled: bounded(hook, hook.settled),
      };
    }),
  );
}

function matcherOf(name: string, hook: PageHookDefinition, complaints: Complaints): (url: string) => boolean {
  const { matches } = hook;
  if (typeof matches === 'string') return urlGlob(matches);
  return (url) => {
    try {
      return boundedCall(() => matches.call(hook, url)) === true;
    } catch (error) {
      complaints.report(name, 'page hook failed', { hook: name, stage: 'matches', url, error: wordsOf(error) });
      return false;
    }
  };
}

function bounded(hook: PageHookDefinition, work: HookFunction | undefined): HookFunction | undefined {
  return work === undefined ? undefined : (call) => boundedCall(() => work.call(hook, call));
}
