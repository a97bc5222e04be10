// The API objects that a volume is rendered from.
/** A ConfigMap or Secret. Values of a Secret and binaryData of a ConfigMap are base64. */
export interface KeyedObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

export interface TrustBundle {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly signerName?: string; readonly trustBundle: string };
}

export interface TokenWish {
  readonly namespace: string;
  readonly account: string;
  /** Default: the API server. */
  readonly audience: string;
  readonly expirationSeconds: number;
  readonly pod: { readonly name: string; readonly uid: string };
}

export interface IssuedToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expirationTimestamp: string;
}

/** Methods return undefined for missing objects. */
export interface VolumeReader {
  configMap(namespace: string, name: string): Promise<KeyedObject | undefined>;
  secret(namespace: string, name: string): Promise<KeyedObject | undefined>;
  trustBundle(name: string): Promise<TrustBundle | undefined>;
  trustBundlesOf(signerName: string): Promise<readonly TrustBundle[]>;
  /** Allocatable resources of a node, the default of container limits. */
  allocatable(node: string): Promise<Readonly<Record<string, string>>>;
  token(wish: TokenWish): Promise<IssuedToken>;
}
