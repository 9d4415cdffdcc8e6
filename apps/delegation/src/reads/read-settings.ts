/** The settings of `SharedReads` and `ExportReads`. */
export interface ReadSettings {
  readonly database: { readonly url: string };
  /** The longest duration of an export: no page of it waits longer. */
  readonly exports: { readonly maxDurationMs: number };
}

/** Injects the `ReadSettings`. */
export const READ_SETTINGS = Symbol('ReadSettings');
