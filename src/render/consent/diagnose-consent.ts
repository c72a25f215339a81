/** Whether consent dialogs could be dealt with, for `orbweaver doctor`: a crawl that leaves them alone does without the package. */
import { diagnosePackage } from '../optional-package.ts';
import { loadConsentEngine, type ConsentEngine } from './consent-engine.ts';

/** @param load a test hands over another way */
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
