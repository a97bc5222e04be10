// The interface of a server that the benchmark measures.
/** Orch, the reference (kube-apiserver and etcd) or the bare server. */
export interface Side {
  readonly key: 'orch' | 'reference' | 'bare';
  readonly title: string;
  readonly port: number;
  readonly token: string;
  /** The port for plain HTTP, which loads use if it is set. */
  readonly httpPort?: number;
  /** The port for HTTP/2, if it is another one than `port`. */
  readonly http2Port?: number;
  /** Deletes its data and starts it. Resolves with the milliseconds until it is ready. */
  startEmpty(): Promise<number>;
  /** Starts it with its data. Resolves with the milliseconds until it is ready. */
  start(): Promise<number>;
  stop(): Promise<void>;
  /** The started processes, without their descendants. */
  pids(): number[];
  /** The etcd processes among `pids`. */
  etcdPids(): number[];
  /** Versions and command lines, for the report. */
  describe(): Promise<string[]>;
}

export const urlOf = ({ port }: Side): string => `https://127.0.0.1:${port}`;
export const http2PortOf = ({ port, http2Port }: Side): number => http2Port ?? port;
export const loadUrlOf = (side: Side): string =>
  side.httpPort === undefined ? urlOf(side) : `http://127.0.0.1:${side.httpPort}`;
