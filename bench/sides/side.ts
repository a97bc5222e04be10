/** One of the servers under load. What differs between them is behind this; everything else treats them alike. */
export interface Side {
  readonly key: 'orch' | 'reference' | 'bare';
  readonly title: string;
  readonly port: number;
  readonly token: string;
  /** Plain HTTP, where loads go if there is such a port. */
  readonly openPort?: number;
  /** Deletes its data and starts it. Resolves when it is ready, with the milliseconds that took. */
  startEmpty(): Promise<number>;
  /** Starts it on the data it has; it must be stopped. */
  start(): Promise<number>;
  stop(): Promise<void>;
  /** The processes started; what they started themselves is found from these. */
  pids(): number[];
  /** Those of them that are etcd. */
  etcdPids(): number[];
  /** Versions and command lines, for the report. */
  describe(): Promise<string[]>;
}

export const urlOf = ({ port }: Side): string => `https://127.0.0.1:${port}`;
export const loadUrlOf = (side: Side): string =>
  side.openPort === undefined ? urlOf(side) : `http://127.0.0.1:${side.openPort}`;
