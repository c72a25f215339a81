/** One at a time, in the order of asking. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work when all work before it has ended, well or badly. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {}); // whoever asked for it hears of the failure; the next in line does not care
    return turn;
  }
}
