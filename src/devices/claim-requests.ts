// Dynamic resource allocation: what a ResourceClaim requests, as the allocator needs it.

/** Devices of one class. */
export interface RequestedDevices {
  /** The name of the request, or `<request>/<subrequest>`. */
  readonly name: string;
  readonly className: string;
  /** CEL expressions of the request, beside those of the class. */
  readonly selectors: readonly string[];
  /** `all`: every device that matches, at least one. */
  readonly count: number | 'all';
  /** Devices that are in use may be allocated as well. */
  readonly hasAdminAccess: boolean;
}

export interface ClaimRequest {
  readonly name: string;
  /** One, or those of `firstAvailable` in their order. */
  readonly alternatives: readonly RequestedDevices[];
}

/** The covered devices must have the same value of an attribute. */
export interface AttributeConstraint {
  /** Names of requests and subrequests; empty for all requests. */
  readonly requests: readonly string[];
  /** `<domain>/<name>`. */
  readonly attribute: string;
}

export interface RequestedClaim {
  /** `namespace/name`. */
  readonly key: string;
  readonly requests: readonly ClaimRequest[];
  readonly constraints: readonly AttributeConstraint[];
}
