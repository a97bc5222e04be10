// The kubelet API of simulated nodes, inside the server: logs, exec, attach and port-forward without containers.
import type { WebSocket } from 'ws';
import type { Node } from '../../apis/core/node.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { Clock } from '../../base/clock.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { badRequest } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import { type Exchange, HttpExchange } from '../../transport/exchange.ts';
import { flushHead, textType, writeHead } from '../../transport/response.ts';
import { isWebSocketUpgrade } from '../../transport/upgrade.ts';
import { acceptWebSocket } from '../../transport/web-socket.ts';
import { internalIpOf, isFailed, isSimulated } from '../node-objects.ts';
import type { ConfiguredLog } from '../stages/stage.ts';
import { Channels } from './channels.ts';
import { echo, runCommand } from './exec.ts';
import { isRunning, logOf, selectLines, startOfLog } from './log-text.ts';
import { echoPorts, echoStreams } from './port-forward.ts';

/** A container of a pod on a simulated node. */
export interface ContainerTarget {
  readonly pod: Pod;
  readonly container: string;
}

/** Of exec and attach; 4 is the size of the terminal. */
const channels = { stdin: 0, stdout: 1, error: 3 };
const maxMessageBytes = 1024 * 1024;
/** The protocols that are supported, without the domain of the service. */
const channelProtocol = /^v[45]\.channel\./;
const spdyProtocol = /^SPDY\/3\.1\+portforward\.[0-9a-z.]+$/;
/** How often a followed log looks whether its container has ended. */
const followIntervalMs = 500;

export class SimulatedKubelet {
  readonly #clock: Clock;
  readonly #dialect: Dialect;
  readonly #logs: readonly ConfiguredLog[];

  constructor(clock: Clock, dialect: Dialect, logs: readonly ConfiguredLog[]) {
    this.#clock = clock;
    this.#dialect = dialect;
    this.#logs = logs;
  }

  /** Whether this is the kubelet of a node. Throws 500, as if the connection failed, if the node has failed. */
  serves(node: Node): boolean {
    if (!isSimulated(node, this.#dialect)) return false;
    if (!isFailed(node, this.#dialect)) return true;
    throw new ApiError(500, '', `error dialing backend: dial tcp ${internalIpOf(node)}:10250: i/o timeout`);
  }

  /** `query` has the options of the kubelet's request; `reread` returns the latest state of the pod, or undefined. */
  async sendLog(
    exchange: Exchange,
    { pod, container }: ContainerTarget,
    query: URLSearchParams,
    reread: () => Pod | undefined,
  ): Promise<void> {
    const startedAt = startOfLog(pod, container, query.get('previous') === 'true');
    const text = logOf(pod, container, this.#logs, this.#dialect);
    writeHead(exchange, 200, ['Content-Type', 'text/plain']);
    flushHead(exchange.response);
    const { response } = exchange;
    response.write(selectLines(text, query, startedAt, this.#clock.now()));
    if (query.get('follow') === 'true') {
      const mayContinue = () => {
        const latest = reread();
        return latest !== undefined && isRunning(latest, container);
      };
      while (!exchange.signal.aborted && mayContinue()) await this.#pause(exchange.signal);
    }
    response.end();
  }

  /** `query` has the options of the kubelet's request. */
  async exec(exchange: Exchange, target: ContainerTarget, query: URLSearchParams): Promise<void> {
    await this.#stream(exchange, target, async (streams) => {
      const input = query.get('input') === '1' ? streams.input(channels.stdin) : undefined;
      const write = (output: Buffer | string) => streams.write(channels.stdout, output);
      await runCommand(query.getAll('command'), { input, write });
    });
  }

  /** Sends the log of the container, and echoes the input until it ends, or else until the client closes the connection. */
  async attach(exchange: Exchange, target: ContainerTarget, query: URLSearchParams): Promise<void> {
    const log = logOf(target.pod, target.container, this.#logs, this.#dialect);
    await this.#stream(exchange, target, async (streams) => {
      const write = (output: Buffer | string) => streams.write(channels.stdout, output);
      write(log);
      if (query.get('input') === '1') await echo(streams.input(channels.stdin), write);
      else await streams.closed;
    });
  }

  /** Every port echoes what it receives. `query` has the ports of the kubelet's request. */
  async portForward(exchange: Exchange, pod: Pod, query: URLSearchParams): Promise<void> {
    if (pod.status.phase !== 'Running') {
      throw new ApiError(
        500,
        '',
        `unable to forward port because pod is not running. Current status=${pod.status.phase}`,
      );
    }
    const ports = (query.get('port') ?? '').split(',').filter(Boolean).map(Number);
    const { socket, protocol } = await this.#accept(exchange, [channelProtocol, spdyProtocol]);
    if (spdyProtocol.test(protocol)) await echoStreams(socket).closed;
    else await echoPorts(new Channels(socket), ports);
  }

  /** Answers a request to a port of a pod: nothing listens there. */
  proxyPod(exchange: Exchange, { metadata }: Pod, path: string): void {
    const { namespace, name } = metadata;
    sendText(exchange, 200, `pod ${namespace}/${name} is simulated: ${exchange.request.method} ${path}\n`);
  }

  /** Answers a request to the kubelet itself. */
  proxyNode(exchange: Exchange, path: string): void {
    if (path === '/healthz') sendText(exchange, 200, 'ok');
    else sendText(exchange, 404, '404 page not found\n');
  }

  async #stream(
    exchange: Exchange,
    { pod, container }: ContainerTarget,
    run: (streams: Channels) => Promise<void>,
  ): Promise<void> {
    if (!isRunning(pod, container)) {
      throw new ApiError(500, '', `unable to upgrade connection: container not found ("${container}")`);
    }
    const { socket } = await this.#accept(exchange, [channelProtocol]);
    const streams = new Channels(socket);
    await run(streams);
    streams.write(channels.error, JSON.stringify({ metadata: {}, status: 'Success' }));
    streams.close();
    await streams.closed;
  }

  /** Accepts a WebSocket with the first of the offered protocols that is supported. */
  async #accept(
    exchange: Exchange,
    protocols: readonly RegExp[],
  ): Promise<{ readonly socket: WebSocket; readonly protocol: string }> {
    const { request } = exchange;
    if (!(exchange instanceof HttpExchange && exchange.upgrade)) throw badRequest('Upgrade request required');
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    const protocol = offered.find((name) => protocols.some((supported) => supported.test(name)));
    if ('stream' in request || !isWebSocketUpgrade(request) || protocol === undefined) {
      throw badRequest('simulated nodes support WebSocket with the protocols v4.channel and v5.channel');
    }
    return { socket: await acceptWebSocket(exchange, protocol, maxMessageBytes), protocol };
  }

  #pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(followIntervalMs, () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
      const onAbort = () => {
        cancel();
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}

function sendText(exchange: Exchange, code: number, text: string): void {
  writeHead(exchange, code, ['Content-Type', textType]);
  exchange.response.end(text);
}
