// HTTP: the options of listeners, requests and connections to kubelets. Durations are in milliseconds.

export interface HttpOptions {
  /** Plain HTTP on loopback, where every request runs as cluster admin; undefined disables it, 0 picks a free port. */
  readonly httpPort: number | undefined;
  /** HTTPS; undefined disables it, 0 picks a free port. */
  readonly securePort: number | undefined;
  readonly bindAddress: string;
  /** The IP address at which other machines reach this server; by default found from `bindAddress`. */
  readonly advertiseAddress: string | undefined;
  /** Further names and IP addresses in the serving certificate that the server creates. */
  readonly tlsSan: readonly string[];
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  /** Threads that serve requests on the same ports; `auto` is one per processor where that is supported. */
  readonly servingThreads: number | 'auto';
  readonly requestTimeout: number;
  /** A watch without timeoutSeconds lasts between this and twice as long. */
  readonly minRequestTimeout: number;
  /** Client certificate for kubelets, and the CA bundle that verifies them; without it they are not verified. */
  readonly kubeletClientCertificate: string | undefined;
  readonly kubeletClientKey: string | undefined;
  readonly kubeletCertificateAuthority: string | undefined;
  /** How long the server keeps serving, but reports not ready, before it shuts down. */
  readonly shutdownDelayDuration: number;
  /** Serves the web console at /console/. */
  readonly console: boolean;
}

export const defaultHttpOptions: HttpOptions = {
  httpPort: undefined,
  securePort: 6443,
  bindAddress: '127.0.0.1',
  advertiseAddress: undefined,
  tlsSan: [],
  tlsCertFile: undefined,
  tlsPrivateKeyFile: undefined,
  servingThreads: 1,
  requestTimeout: 60_000,
  minRequestTimeout: 1_800_000,
  kubeletClientCertificate: undefined,
  kubeletClientKey: undefined,
  kubeletCertificateAuthority: undefined,
  shutdownDelayDuration: 0,
  console: true,
};
