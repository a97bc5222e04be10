// Services: --service-cluster-ip-range and --service-node-port-range, with kube-apiserver's defaults.

export interface ServiceOptions {
  /** CIDR for cluster IPs, or one for each IP family with the default family first. */
  readonly serviceClusterIpRange: readonly string[];
  /** Port range for node ports. */
  readonly serviceNodePortRange: { readonly first: number; readonly last: number };
}

export const defaultServiceOptions: ServiceOptions = {
  serviceClusterIpRange: ['10.0.0.0/24'],
  serviceNodePortRange: { first: 30_000, last: 32_767 },
};
