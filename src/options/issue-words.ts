/** What a program gave wrongly, in words: those of Zod name types of TypeScript. */
import type { z } from 'zod';
import type { ValueType } from './value-type.ts';

const KINDS: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/**
 * What is accepted in place of a value; the words of a schema of our own stay as they are.
 * @param type of the option; null for the seeds
 */
export function issueWords(issue: z.core.$ZodIssue, type: ValueType<unknown> | null): string {
  const unit = type === null || !type.accepts.startsWith('a duration') ? '' : ' of milliseconds';
  const number = `${KINDS['number']}${type?.accepts.startsWith('a size') === true ? ' of bytes' : unit}`;
  const { code, message } = issue;
  if (!/^(?:Invalid|Too small|Too big)\b/.test(message)) return message;
  if (code === 'invalid_type') {
    if (issue.expected === 'number') return `give ${number}`;
    return `give ${KINDS[issue.expected] ?? issue.expected}${issue.expected === 'array' ? ', in brackets' : ''}`;
  }
  if (code === 'too_big' && issue.origin === 'array') return `give at most ${issue.maximum}`;
  if (code === 'too_small') {
    if (issue.origin === 'string') return 'give no empty text';
    return `give ${number} ${issue.inclusive === false ? 'above' : 'of at least'} ${issue.minimum}`;
  }
  if (code === 'too_big') return `give ${number} of at most ${issue.maximum}`;
  return code === 'invalid_value' ? `give one of ${issue.values.map(String).join(', ')}` : message;
}
