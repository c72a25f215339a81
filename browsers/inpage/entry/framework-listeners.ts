import { frameworkListeners } from '../framework-listeners.ts';

export function run(): string {
  try {
    return JSON.stringify(frameworkListeners());
  } catch {
    return '{"nodes":[],"delegated":[],"keyed":[]}'; // the page may have changed how objects work
  }
}
