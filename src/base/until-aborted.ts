/**
 * Waits for a call that others may wait for too, until the signal says that this caller no longer does. The call goes on;
 * its late result or error is dropped.
 * @throws the signal's reason; what the call throws
 */
export async function untilAborted<Result>(call: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([call, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
