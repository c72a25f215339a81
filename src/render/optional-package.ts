/** Packages that only some crawls need, and that may not be installed. */
import { CrawlError } from '../base/errors.ts';

interface OptionalPackage {
  readonly name: string;
  /** The version that this program was tested with. */
  readonly version: string;
  /** Its purpose, as the beginning of a message: `consent dialogs are dealt with by`. */
  readonly does: string;
}

/** The error for a missing package; it names the command that installs it. */
export function packageMissing({ name, version, does }: OptionalPackage, cause: unknown): CrawlError {
  const message = `${does} the package ${name}, which is not installed here, or not whole\nInstall it: npm install ${name}@${version}`;
  return new CrawlError('PACKAGE_MISSING', message, { cause, data: { package: name } });
}

interface PackageDiagnosis {
  readonly name: string;
  readonly ok: true;
  readonly detail: string;
  /** The command that makes it better; null where there is none. */
  readonly cure: string | null;
}

interface DiagnosedUse {
  /** Subject of a line of `doctor`. */
  readonly name: string;
  /** The package, and the flag that needs it. */
  readonly found: (version: string) => string;
  readonly missing: string;
}

/** Checks whether a package is there; a crawl that does not ask for it does without. @param load throws the error of {@link packageMissing} */
export async function diagnosePackage(
  { name, found, missing }: DiagnosedUse,
  load: () => Promise<{ readonly version: string }>,
): Promise<PackageDiagnosis> {
  try {
    const { version } = await load();
    return { name, ok: true, detail: found(version), cure: null };
  } catch (error) {
    if (!(error instanceof CrawlError)) throw error;
    const [, cure = ''] = error.message.split('Install it: ');
    return { name, ok: true, detail: missing, cure };
  }
}
