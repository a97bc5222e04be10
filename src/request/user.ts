// The authenticated user of a request (upstream: user.Info).

export interface User {
  readonly name: string;
  /** '' if the authenticator knows none. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}
