/** Types of settings whose values are texts, by patterns: paths, names, regular expressions. */
import { z } from 'zod';
import { refused, several, single, type ValueType } from './value-type.ts';

/** Demands on a text, beyond having a character. */
interface TextTraits {
  /** The accepted values, in words that follow "accepted:". */
  readonly accepts: string;
  /** The whole text must match it on the command line, and where `must` is given from a program as well. */
  readonly pattern: RegExp;
  /** The same for a program, in words that follow "is not accepted:". */
  readonly must?: string;
  readonly secret?: true;
}

export function text(traits: TextTraits): ValueType<string> {
  return {
    ...single(schemaOfText(traits), traits.accepts, 'a text', (value) => (traits.pattern.test(value) ? value : null)),
    secret: traits.secret ?? false,
  };
}

/** A path or the like: never a text that looks like the next flag, nor the `-` that means standard input elsewhere. */
export function path(accepts: string): ValueType<string> {
  return text({ accepts, pattern: /^(?!--?$|--[a-z])./s });
}

/** Like {@link path}, and `-` for standard input. */
export function pathOrStandardInput(accepts: string): ValueType<string> {
  return text({ accepts, pattern: /^(?!--$|--[a-z])./s });
}

/** A place to listen at: a port, or an address and a port. @param fallback stands for the empty text of a flag without a value */
export function listening(fallback: string): ValueType<string> {
  const type = text({
    accepts: 'a port of loopback, or an address and a port, as in 0.0.0.0:9464',
    pattern: /^(?:[\w.-]+:|\[[\da-f:.]+\]:)?(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/i,
    must: 'must be a port, or an address and a port',
  });
  return { ...type, read: (given) => type.read(given.map((each) => (each === '' ? fallback : each))) };
}

/** Given once for each text. @param schema where a text's own pattern is not enough */
export function texts(
  traits: TextTraits,
  schema: z.ZodType<readonly string[]> = z.array(schemaOfText(traits)),
): ValueType<readonly string[]> {
  const type = several(schema, traits.accepts, (value) =>
    traits.pattern.test(value) ? { kind: 'read', value: [value] } : refused(value),
  );
  return { ...type, secret: traits.secret ?? false };
}

export function regularExpressions(): ValueType<readonly string[]> {
  const isAccepted = (source: string): boolean => source === '' || regularExpressionFault(source) === null;
  return several(
    z.array(z.string().refine(isAccepted, { error: 'is not a regular expression' })),
    'a regular expression of JavaScript, that is searched for in the whole URL',
    (value) => {
      const why = regularExpressionFault(value);
      return why === null ? { kind: 'read', value: [value] } : { ...refused(value), why };
    },
  );
}

/** Names between commas; may also be given several times. */
export function names(traits: TextTraits): ValueType<readonly string[]> {
  return several(z.array(schemaOfText(traits)), traits.accepts, (value) => {
    const items = value.split(',').map((item) => item.trim());
    return items.every((item) => traits.pattern.test(item)) ? { kind: 'read', value: items } : refused(value);
  });
}

/** Given once for each text, or without one, which stands for `usual`. */
export function places(traits: TextTraits, usual: string): ValueType<readonly string[]> {
  return several(z.array(schemaOfText(traits)), traits.accepts, (value) => {
    const place = value.trim() === '' ? usual : value.trim();
    return traits.pattern.test(place) ? { kind: 'read', value: [place] } : refused(value);
  });
}

function schemaOfText({ pattern, must }: TextTraits): z.ZodType<string> {
  return must === undefined ? z.string().min(1) : z.string().regex(pattern, { error: must });
}

function regularExpressionFault(source: string): string | null {
  if (source === '') return 'it is empty';
  try {
    RegExp(source);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be compiled';
  }
}
