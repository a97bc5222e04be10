// Admission: the options that enable plugins and configure them.

export interface AdmissionOptions {
  /** Admission plugins enabled in addition to the default ones, and default ones that are disabled. */
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  /** tolerationSeconds of the tolerations that DefaultTolerationSeconds adds to pods. */
  readonly defaultNotReadyTolerationSeconds: number;
  readonly defaultUnreachableTolerationSeconds: number;
}

export const defaultAdmissionOptions: AdmissionOptions = {
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  defaultNotReadyTolerationSeconds: 300,
  defaultUnreachableTolerationSeconds: 300,
};
