/** Has the browser ended a script of ours, which took longer than its limit? Its error then is `Execution was terminated`. */
export function wasEnded(error: unknown): boolean {
  return error instanceof Error && /terminated/i.test(error.message);
}
