import { measurePaint } from '../measure-paint.ts';

export async function run(_input: null): Promise<string> {
  return JSON.stringify(await measurePaint());
}
