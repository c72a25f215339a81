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
  const { message } = issue;
  switch (issue.code) {
    case 'invalid_type':
      if (!message.startsWith('Invalid input')) return message;
      if (issue.expected === 'number') return `give ${number}`;
      return `give ${KINDS[issue.expected] ?? issue.expected}${issue.expected === 'array' ? ', in brackets' : ''}`;
    case 'too_small':
      if (!message.startsWith('Too small')) return message;
      return issue.origin === 'number' || issue.origin === 'int'
        ? `give ${number} ${issue.inclusive === false ? 'above' : 'of at least'} ${issue.minimum}`
        : issue.origin === 'string'
          ? 'give no empty text'
          : `give at least ${issue.minimum}`;
    case 'too_big':
      return message.startsWith('Too big') && (issue.origin === 'number' || issue.origin === 'int')
        ? `give ${number} of at most ${issue.maximum}`
        : message;
    case 'invalid_value':
      return message.startsWith('Invalid') ? `give one of ${issue.values.map(String).join(', ')}` : message;
    default:
      return message;
  }
}
