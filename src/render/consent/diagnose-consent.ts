/** Whether consent dialogs could be dealt with, for `orbweaver doctor`: a crawl that leaves them alone does without the package. */
import { CrawlError } from '../../base/errors.ts';
import { loadConsentEngine, type ConsentEngine } from './consent-engine.ts';

interface ConsentDiagnosis {
  readonly name: string;
  readonly ok: true;
  readonly detail: string;
  /** The command that makes it better; null where there is none. */
  readonly cure: string | null;
}

/** @param load a test hands over another way */
export async function diagnoseConsent(
  load: () => Promise<ConsentEngine> = loadConsentEngine,
): Promise<ConsentDiagnosis> {
  const name = 'consent dialogs';
  try {
    const { version } = await load();
    return { name, ok: true, detail: `autoconsent ${version}, for --consent`, cure: null };
  } catch (error) {
    if (!(error instanceof CrawlError)) throw error;
    const [, cure = ''] = error.message.split('Install it: ');
    return { name, ok: true, detail: 'can only be left as they are: an optional package is missing', cure };
  }
}
