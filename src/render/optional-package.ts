/** Packages that only some crawls need, and that may not be installed. */
import { CrawlError } from '../base/errors.ts';

interface OptionalPackage {
  readonly name: string;
  /** The one that this program was tested with. */
  readonly version: string;
  /** What it is for: `consent dialogs are dealt with by`. */
  readonly does: string;
}

/** Says which command installs it. */
export function packageMissing({ name, version, does }: OptionalPackage, cause: unknown): CrawlError {
  const message = `${does} the package ${name}, which is not installed here, or not whole\nInstall it: npm install ${name}@${version}`;
  return new CrawlError('PACKAGE_MISSING', message, { cause, data: { package: name } });
}
