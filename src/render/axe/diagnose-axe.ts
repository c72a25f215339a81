/** Finds out for `orbweaver doctor` whether accessibility could be checked. */
import { diagnosePackage } from '../optional-package.ts';
import { loadAxeEngine, type AxeEngine } from './axe-engine.ts';

/** @param load tests pass another loader */
export function diagnoseAxe(load: () => Promise<AxeEngine> = loadAxeEngine): ReturnType<typeof diagnosePackage> {
  const use = {
    name: 'accessibility',
    found: (version: string) => `axe-core ${version}, for --axe`,
    missing: 'cannot be checked: an optional package is missing',
  };
  return diagnosePackage(use, () => load());
}
