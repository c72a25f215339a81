/** Ends synchronous work of an extension that takes too long: the event loop is blocked until it is done. */
import { createContext, Script, type Context } from 'node:vm';
import { seconds, type Milliseconds } from '../base/units.ts';

/** Longest time of one call; the main loop is blocked meanwhile. */
const EXTENSION_CALL_LIMIT: Milliseconds = seconds(5);

// node:vm ends all code called by its script, including functions from outside
const SCRIPT = new Script('call()', { filename: 'extension' });
const BORDER: { call: () => void } = { call: () => {} };
let context: Context | null = null;

/**
 * Calls a function; its work after its first wait is not limited.
 * @throws the function's error; {Error} where it took too long
 */
export function boundedCall<Result>(call: () => Result, limit: Milliseconds = EXTENSION_CALL_LIMIT): Result {
  const results: Result[] = [];
  const outer = BORDER.call;
  BORDER.call = () => void results.push(call());
  try {
    SCRIPT.runInContext((context ??= createContext(BORDER)), { timeout: limit });
  } catch (error) {
    if (isTimeout(error)) throw new Error(`it was ended after ${limit} ms without a result`, { cause: error });
    throw error;
  } finally {
    BORDER.call = outer;
  }
  const [result] = results;
  // a result may be undefined
  if (results.length === 0) throw new Error('it gave no result');
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- it was called
  return result as Result;
}

/** The error is from the other context, so it is not an instance of our `Error`. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
