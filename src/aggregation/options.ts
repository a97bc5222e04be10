// API aggregation: its options.

export interface AggregationOptions {
  /** Client certificate for aggregated API servers; by default the server creates one. */
  readonly proxyClientCertFile: string | undefined;
  readonly proxyClientKeyFile: string | undefined;
}

export const defaultAggregationOptions: AggregationOptions = {
  proxyClientCertFile: undefined,
  proxyClientKeyFile: undefined,
};
