/** A page as the server answers it. */
export interface WorldAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface TrapWorld {
  /** Paths of the pages that matter; each can be reached from `/` by links of such pages. */
  readonly good: readonly string[];
  /** @param target path and query as they are in a request */
  answer(target: string): WorldAnswer;
}

export interface WorldOptions {
  /** How many good pages; 200 or more. */
  readonly pages: number;
  readonly seed?: number;
  /** What is not there is answered by 200, its own address in the text, and links to more of that; else by 404. Default true. */
  readonly echoes?: boolean;
}

export function trapWorld(options: WorldOptions): TrapWorld;
