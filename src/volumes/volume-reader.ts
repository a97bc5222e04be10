/** A ConfigMap or Secret: values of a Secret, and binary ones of a ConfigMap, are in base64. */
export interface KeyedObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

export interface TrustBundle {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly signerName?: string; readonly trustBundle: string };
}

/** A token that is wanted for a pod. */
export interface TokenWish {
  readonly namespace: string;
  readonly account: string;
  /** Whom it is for; the API server itself where that is left out. */
  readonly audience: string;
  readonly expirationSeconds: number;
  readonly pod: { readonly name: string; readonly uid: string };
}

export interface IssuedToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expirationTimestamp: string;
}

/** Where a volume gets what goes into it. What is not there is undefined. */
export interface VolumeReader {
  configMap(namespace: string, name: string): Promise<KeyedObject | undefined>;
  secret(namespace: string, name: string): Promise<KeyedObject | undefined>;
  trustBundle(name: string): Promise<TrustBundle | undefined>;
  trustBundlesOf(signerName: string): Promise<readonly TrustBundle[]>;
  /** What a node has to give, by resource; for containers without limits. */
  allocatable(node: string): Promise<Readonly<Record<string, string>>>;
  token(wish: TokenWish): Promise<IssuedToken>;
}
