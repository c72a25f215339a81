/** Milliseconds of processor time that this process has had so far: unlike the time on the wall, it does not pass while others are served. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
