/** Milliseconds of processor time of this process so far: unlike wall-clock time, it does not pass while other processes run. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
