// Node's HTTP module, loaded without undici (the client behind `fetch`).
import type * as Http from 'node:http';
import { createRequire } from 'node:module';

/**
 * An `import` of `node:http` would evaluate all of its exports and load undici, which costs a tenth of a second at
 * startup.
 */
const http = createRequire(import.meta.url)('node:http') as typeof Http;

export const { createServer, IncomingMessage, request, ServerResponse } = http;
export type { Server } from 'node:http';
export type IncomingMessage = Http.IncomingMessage;
export type ServerResponse = Http.ServerResponse;
