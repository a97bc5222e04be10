import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { join } from 'node:path';
import { createCA, issueServingCertificate } from '../../src/pki/issue.ts';
import { makeCommonNameOnly, makeSelfSigned } from './unusual-certificates.ts';

/** The behaviour of a webhook. Without instructions it allows the request. */
export interface WebhookInstructions {
  /** Never responds, waits until it is released, resets the connection, or responds endlessly. */
  readonly does?: 'hang' | 'wait' | 'cut' | 'flood';
  readonly code?: number;
  readonly headers?: Record<string, string>;
  /** The whole response body. */
  readonly text?: string;
  /** Fields of the review in the response. */
  readonly review?: object;
  /** Fields of its `response`. */
  readonly response?: object;
  readonly patch?: unknown[];
  /** Denies, with the received review as message. */
  readonly tells?: 'review' | 'all';
  /** Writes the received review to this annotation of the object. */
  readonly notes?: string;
  /** Applies only to conversions to this version: `v2`. */
  readonly only?: string;
  /** Merged into every converted object; null removes a field. */
  readonly puts?: object;
  /** Responds with this many objects, whatever the request. */
  readonly count?: number;
  /** Responds with the objects in another order. */
  readonly reversed?: boolean;
}

/** A request that a webhook received. */
interface Heard<Review> {
  readonly query: string;
  readonly headers: Record<string, string>;
  readonly httpVersion: string;
  /** The port of the client, which identifies a connection. */
  readonly port: number;
  readonly review: Review;
}

/** A webhook in another process, with HTTPS on loopback. */
export interface Webhook {
  readonly port: number;
  /** The port with a certificate for another name. */
  readonly misnamedPort: number;
  /** The port with a self-signed certificate, and that certificate as base64 of PEM. */
  readonly selfSigned: { readonly port: number; readonly caBundle: string };
  /** The port whose certificate has `localhost` only as common name. */
  readonly namelessPort: number;
  /** Its serving certificate, as base64 of PEM. */
  readonly certificate: string;
  /** The CA of its certificate, as base64 of PEM. */
  readonly caBundle: string;
  /** The URL with these instructions. `name` distinguishes it from others, for `heard`. */
  url(told?: WebhookInstructions, name?: string): string;
  path(told?: WebhookInstructions, name?: string): string;
  /** The requests that it received there. */
  received<Review>(told?: WebhookInstructions, name?: string): Promise<Heard<Review>[]>;
  /** Releases held responses there; later ones are not held. */
  release(told: WebhookInstructions, name?: string): Promise<void>;
  stop(): Promise<void>;
}

/** The path with these instructions. In lower case, as paths of Services are. */
export const pathFor = (told?: WebhookInstructions, name = '') =>
  `/${name}${name && '/'}${told ? Buffer.from(JSON.stringify(told)).toString('hex') : ''}`;

/** `names`: subject alternative names beside localhost. `host`: another loopback address to listen on. */
export async function startWebhook(names: readonly string[] = [], host = '127.0.0.1'): Promise<Webhook> {
  const authority = await createCA('webhooks', Date.now());
  const make = (...hostNames: string[]) =>
    issueServingCertificate(authority, { name: 'webhook', hostNames }, Date.now());
  const own = await make('localhost', host, ...names);
  const alone = await makeSelfSigned('localhost', host);
  const pairs = [
    own,
    await make('elsewhere.example.com'),
    alone,
    await makeCommonNameOnly(authority, 'localhost'),
  ];
  const child = fork(join(import.meta.dirname, 'webhook-process.ts'), [host]);
  child.send(pairs);
  const [[port, misnamedPort, selfSignedPort, namelessPort]] = (await once(child, 'message')) as [
    [number, number, number, number],
  ];
  const base64 = (pem: string) => Buffer.from(pem).toString('base64');
  return {
    port,
    misnamedPort,
    selfSigned: { port: selfSignedPort, caBundle: base64(alone.certificate) },
    namelessPort,
    certificate: base64(own.certificate),
    caBundle: base64(authority.certificate),
    path: pathFor,
    url: (told, name) => `https://${host}:${port}${pathFor(told, name)}`,
    received: (told, name) =>
      ask('GET', { host, port, path: pathFor(told, name), ca: authority.certificate }),
    release: (told, name) =>
      ask('DELETE', { host, port, path: pathFor(told, name), ca: authority.certificate }),
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

function ask<T>(method: string, where: { host: string; port: number; path: string; ca: string }): Promise<T> {
  return new Promise((resolve, reject) => {
    const sent = request({ method, ...where, agent: false }, async (response) => {
      let text = '';
      for await (const part of response) text += part;
      resolve(JSON.parse(text) as T);
    });
    sent.on('error', reject).end();
  });
}
