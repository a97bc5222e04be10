// Finds free TCP ports on 127.0.0.1.
import { createServer } from 'node:net';

/** Returns the first of `count` consecutive free ports. */
export async function freePorts(count = 1): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = await tryPort(0);
    if (first === undefined) continue;
    const others = await Promise.all(Array.from({ length: count - 1 }, (_, i) => tryPort(first + 1 + i)));
    if (others.every((port) => port !== undefined)) return first;
  }
  throw new Error(`no ${count} free ports on 127.0.0.1`);
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}
