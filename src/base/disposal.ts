/** Resources in the order in which they were opened; disposing closes them in the reverse order, all of them. */
export interface Disposal extends AsyncDisposable {
  /** Keeps a resource until the disposal, and returns it. */
  use<Resource extends AsyncDisposable>(resource: Resource): Resource;
  /** Adds an action for the disposal. */
  defer(action: () => PromiseLike<void> | void): void;
}

/** AsyncDisposableStack as far as it is needed; Node 20 has none. */
export function createDisposal(): Disposal {
  const actions: (() => PromiseLike<void> | void)[] = [];
  return {
    use: (resource) => {
      actions.push(() => resource[Symbol.asyncDispose]());
      return resource;
    },
    defer: (action) => {
      actions.push(action);
    },
    [Symbol.asyncDispose]: async () => {
      const errors: unknown[] = [];
      for (let action = actions.pop(); action !== undefined; action = actions.pop()) {
        try {
          await action();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, 'not everything could be closed');
    },
  };
}
