// Reads the events of a watch response.
import type { WireStatus } from '../errors/status.ts';
import { statusError } from './request-sender.ts';

/** A BOOKMARK's object has only the resource version up to which all changes were sent. */
export interface ObjectEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

type WireEvent<T> = ObjectEvent<T> | { readonly type: 'ERROR'; readonly object: WireStatus };

const lineFeed = 0x0a;

/** Events are JSON, one per line. Leaving the iteration closes the connection. */
export async function* readWatchEvents<T>(
  response: AsyncIterable<Buffer>,
): AsyncGenerator<ObjectEvent<T>, void, undefined> {
  let rest: Buffer[] = [];
  for await (const chunk of response) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      const line = Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      start = end + 1;
      const event = JSON.parse(line.toString()) as WireEvent<T>;
      if (event.type === 'ERROR') throw statusError(event.object);
      yield event;
    }
    rest.push(chunk.subarray(start));
  }
}
