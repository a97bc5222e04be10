// portforward over WebSocket channels: each port has a data channel and an error channel.
import type { Channels } from './channels.ts';

/** Sends the number of the port on both channels of each port, as a kubelet does, and echoes the data until the end. */
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
