/** A webhook in its own process. The path of a request encodes the response; see webhook.ts. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { conversionOf } from './conversion-webhook.ts';
import type { WebhookInstructions } from './webhook.ts';

interface Pair {
  readonly certificate: string;
  readonly key: string;
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly object: { readonly metadata: object } | null;
    /** A ConversionReview. */
    readonly desiredAPIVersion?: string;
    readonly objects?: Record<string, unknown>[];
  };
}

const received = new Map<string, unknown[]>();
/** Held responses, by path; null once responses at this path are no longer held. */
const waiting = new Map<string, (() => void)[] | null>();
const huge = Buffer.alloc(64 * 1024, ' ');

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '', method, headers, httpVersion } = request;
  const [path = '', query = ''] = url.split('?');
  if (method === 'GET') {
    response.end(JSON.stringify(received.get(path) ?? []));
    return;
  }
  if (method === 'DELETE') {
    for (const go of waiting.get(path) ?? []) go();
    waiting.set(path, null);
    response.end('null');
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const review = JSON.parse(Buffer.concat(parts).toString()) as Review;
  const { host: _, ...compared } = headers;
  const heard = { query, headers: compared, httpVersion, port: request.socket.remotePort, review };
  received.set(path, [...(received.get(path) ?? []), heard]);
  const told = toldFor(review, readPath(path));
  if (told.does === 'wait') await released(path);
  respond(told, heard, response);
}

function released(path: string): Promise<void> | undefined {
  const others = waiting.get(path) ?? [];
  if (waiting.get(path) === null) return undefined;
  return new Promise((resolve) => waiting.set(path, [...others, resolve]));
}

/** Instructions for conversions to one version do not apply to others. */
function toldFor({ request }: Review, told: WebhookInstructions): WebhookInstructions {
  const { only } = told;
  return only === undefined || request.desiredAPIVersion?.endsWith(`/${only}`) ? told : {};
}

/** The end of a path has the instructions, if any; the rest distinguishes webhooks. */
function readPath(path: string): WebhookInstructions {
  const word = path.slice(path.lastIndexOf('/') + 1);
  return word === '' ? {} : (JSON.parse(Buffer.from(word, 'hex').toString()) as WebhookInstructions);
}

interface Heard {
  readonly query: string;
  readonly headers: object;
  readonly review: Review;
}

function respond(told: WebhookInstructions, heard: Heard, response: ServerResponse): void {
  if (told.does === 'hang') return;
  if (told.does === 'cut') {
    response.socket?.destroy();
    return;
  }
  for (const [name, value] of Object.entries(told.headers ?? {})) response.setHeader(name, value);
  response.statusCode = told.code ?? 200;
  if (told.does === 'flood') {
    flood(response);
    return;
  }
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
  response.end(told.text ?? JSON.stringify(replyTo(told, heard)));
}

/** Sends spaces until the client disconnects. */
function flood(response: ServerResponse): void {
  while (!response.destroyed && response.write(huge)) {}
  if (!response.destroyed) response.once('drain', () => flood(response));
}

function replyTo(told: WebhookInstructions, heard: Heard): object {
  const { apiVersion, kind, request } = heard.review;
  const response: Record<string, unknown> = { uid: request.uid };
  if (request.objects) {
    const note = told.notes && { [told.notes]: shown(heard, 'all') };
    const asked = { objects: request.objects, desired: request.desiredAPIVersion ?? '' };
    Object.assign(response, conversionOf(told, asked, note || {}), told.response);
    return { apiVersion, kind, response, ...told.review };
  }
  response.allowed = true;
  const patch = patchOf(told, heard);
  if (patch) Object.assign(response, { patchType: 'JSONPatch', patch: encoded(patch) });
  if (told.tells) Object.assign(response, { allowed: false, status: { message: shown(heard, told.tells) } });
  Object.assign(response, told.response);
  return { apiVersion, kind, response, ...told.review };
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

function patchOf({ patch, notes }: WebhookInstructions, heard: Heard): unknown[] | undefined {
  if (notes === undefined) return patch;
  const { metadata = {} } = heard.review.request.object ?? {};
  const hasAnnotations = 'annotations' in metadata;
  const value = shown(heard, 'review');
  return [
    ...(hasAnnotations ? [] : [{ op: 'add', path: '/metadata/annotations', value: {} }]),
    { op: 'add', path: `/metadata/annotations/${notes}`, value },
  ];
}

/** The received review, with sorted keys and without values that differ between calls. */
function shown({ query, headers, review }: Heard, what: 'review' | 'all'): string {
  const text = JSON.stringify(what === 'all' ? { query, headers, review } : review, sorted);
  return text
    .replaceAll(/"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, '"<uid>"')
    .replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"<rv>"')
    .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"/g, '"<time>"')
    .replaceAll(/"content-length":"\d+"/g, '"content-length":"<length>"');
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

process.once('message', async (pairs: readonly Pair[]) => {
  const ports = await Promise.all(
    pairs.map(async ({ certificate, key }) => {
      const server = createServer({ cert: certificate, key }, (request, response) => {
        answer(request, response).catch((error: unknown) => {
          response.statusCode = 500;
          response.end(String(error));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, process.argv[2] ?? '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    }),
  );
  process.send?.(ports);
});
process.once('disconnect', () => process.exit());
