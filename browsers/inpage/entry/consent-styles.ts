import { keepStyles } from '../consent/styles.ts';

export function run(): void {
  keepStyles();
}
