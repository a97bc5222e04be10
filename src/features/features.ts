/** Which of the features that can be switched are on in this server. */
export interface Features {
  /** Whether the feature of this name is on. Throws where there is no such feature: that is a slip of ours. */
  enabled(name: string): boolean;
}
