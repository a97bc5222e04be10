import type { Exchange } from '../exchange.ts';
import { ServerResponse } from '../node-http.ts';

/** Sends what has been said of an answer at once, where its body may be long in coming. HTTP/2 does so by itself. */
export function sendHead(response: Exchange['response']): void {
  if (response instanceof ServerResponse) response.flushHeaders();
}
