// API aggregation: the flags of the client certificate that proxied requests present to aggregated API servers.

export interface AggregationOptions {
  /** Client certificate for aggregated API servers; by default the server creates one. */
  readonly proxyClientCertFile: string | undefined;
  readonly proxyClientKeyFile: string | undefined;
}

export const defaultAggregationOptions: AggregationOptions = {
  proxyClientCertFile: undefined,
  proxyClientKeyFile: undefined,
};
