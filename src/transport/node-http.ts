// Node's HTTP module, loaded without its client.
import type * as Http from 'node:http';
import { createRequire } from 'node:module';

/**
 * Node's HTTP. An `import` of `node:http` would read everything that module offers, and so load a whole HTTP client that
 * nobody here uses: a tenth of a second of every start.
 */
const http = createRequire(import.meta.url)('node:http') as typeof Http;

export const { createServer, request, ServerResponse } = http;
export type { IncomingMessage, Server } from 'node:http';
export type ServerResponse = Http.ServerResponse;
