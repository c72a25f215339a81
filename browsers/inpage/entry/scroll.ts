import { scrollToEnd, scrollToStart } from '../scroll.ts';

export function run(to: 'start' | 'end'): string {
  if (to === 'end') return JSON.stringify(scrollToEnd());
  scrollToStart();
  return JSON.stringify({ height: 0, links: 0, nodes: 0, scrollable: false });
}
