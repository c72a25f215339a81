/** Whether accessibility could be checked, for `orbweaver doctor`. */
import { diagnosePackage } from '../optional-package.ts';
import { loadAxeEngine, type AxeEngine } from './axe-engine.ts';

/** @param load a test hands over another way */
export function diagnoseAxe(load: () => Promise<AxeEngine> = loadAxeEngine): ReturnType<typeof diagnosePackage> {
  const use = {
    name: 'accessibility',
    found: (version: string) => `axe-core ${version}, for --axe`,
    missing: 'cannot be checked: an optional package is missing',
  };
  return diagnosePackage(use, () => load());
}
