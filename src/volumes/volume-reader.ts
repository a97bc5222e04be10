// The interface through which volumes read API objects: ConfigMaps, Secrets, ClusterTrustBundles, nodes and tokens.
/** A ConfigMap or Secret. Values of a Secret and binaryData of a ConfigMap are base64. */
export interface KeyedObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

export interface TrustBundle {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly signerName?: string; readonly trustBundle: string };
}

/** The TokenRequest for a serviceAccountToken projection, bound to the pod. */
export interface ProjectedTokenRequest {
  readonly namespace: string;
  readonly account: string;
  /** Empty: the audience of the API server. */
  readonly audience: string;
  readonly expirationSeconds: number;
  readonly pod: { readonly name: string; readonly uid: string };
}

export interface IssuedToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expirationTimestamp: string;
}

/** Reads return undefined for missing objects. */
export interface VolumeReader {
  configMap(namespace: string, name: string): Promise<KeyedObject | undefined>;
  secret(namespace: string, name: string): Promise<KeyedObject | undefined>;
  trustBundle(name: string): Promise<TrustBundle | undefined>;
  trustBundlesOf(signerName: string): Promise<readonly TrustBundle[]>;
  /** Allocatable resources of a node, the default of container limits. */
  allocatable(node: string): Promise<Readonly<Record<string, string>>>;
  token(request: ProjectedTokenRequest): Promise<IssuedToken>;
}
