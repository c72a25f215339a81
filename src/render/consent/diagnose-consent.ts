/** Finds out for `orbweaver doctor` whether consent dialogs could be dealt with. A crawl that leaves them alone does without the package. */
import { diagnosePackage } from '../optional-package.ts';
import { loadConsentEngine, type ConsentEngine } from './consent-engine.ts';

/** @param load tests pass another loader */
export function diagnoseConsent(
  load: () => Promise<ConsentEngine> = loadConsentEngine,
): ReturnType<typeof diagnosePackage> {
  const use = {
    name: 'consent dialogs',
    found: (version: string) => `autoconsent ${version}, for --consent`,
    missing: 'can only be left as they are: an optional package is missing',
  };
  return diagnosePackage(use, () => load());
}
