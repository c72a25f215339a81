/** Parts of an application that its routes load (core/links/scripts/part-names.ts). */

/** A part that a route loads. */
export interface RoutePart {
  /** Path of the route, from the begin of its list. */
  readonly path: string;
  /** The script or the module. */
  readonly target: string;
  /** The module that holds the list; '' where it is not known, null where the path is known to begin at the root. */
  readonly module: string | null;
  /** Is the list the only one of its script? */
  readonly isSole: boolean;
  /** Does the list look like that at the root? */
  readonly isAtRoot: boolean;
}

/** Where the lists of a part begin: by their modules, '' for the whole script. */
export type PartBegins = readonly (readonly [module: string, begin: string])[];
