// portforward: every port of a simulated pod echoes what it receives.
import type { WebSocket } from 'ws';
import type { Channels } from './channels.ts';
import { SpdyConnection } from './spdy-connection.ts';

/** Over WebSocket channels: each port has a data and an error channel, which begin with the number of the port. */
export async function echoPorts(streams: Channels, ports: readonly number[]): Promise<void> {
  const echoes = ports.map(async (port, index) => {
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    const [data, error] = [2 * index, 2 * index + 1];
    streams.write(data, number);
    streams.write(error, number);
    for await (const chunk of streams.input(data)) streams.write(data, chunk);
  });
  await Promise.all(echoes);
}

const nothing = Buffer.alloc(0);
/** Connections that a client may have open at once. */
const maxConnections = 1024;

/**
 * Over SPDY streams: each connection of the client has an error stream and a data stream with the same request ID. The echo of
 * the data ends with it, and then the error stream, empty.
 */
export function echoStreams(socket: WebSocket): SpdyConnection {
  /** Error streams by request ID, and request IDs by data stream. */
  const errorStreams = new Map<string, number>();
  const requestIds = new Map<number, string>();
  const connection = new SpdyConnection(socket, {
    onStream(id, headers) {
      if (errorStreams.size >= maxConnections) throw new Error('too many connections');
      const requestId = headers.get('requestid') ?? '';
      if (headers.get('streamtype') === 'error') errorStreams.set(requestId, id);
      else requestIds.set(id, requestId);
    },
    onData(id, data) {
      if (requestIds.has(id)) connection.send(id, data);
    },
    onEnd(id) {
      const requestId = requestIds.get(id);
      if (requestId === undefined) return;
      requestIds.delete(id);
      connection.send(id, nothing, true);
      const errorStream = errorStreams.get(requestId);
      errorStreams.delete(requestId);
      if (errorStream !== undefined) connection.send(errorStream, nothing, true);
    },
  });
  return connection;
}
