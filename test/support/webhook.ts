import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { join } from 'node:path';
import { createCA, issueServingCertificate } from '../../src/pki/issue.ts';
import { makeNameless, makeSelfSigned } from './unusual-certificates.ts';

/** What a webhook does when it is asked. Told nothing, it allows. */
export interface Told {
  /** Goes silent, waits until it is released, breaks the connection off, or never stops talking. */
  readonly does?: 'hang' | 'wait' | 'cut' | 'flood';
  readonly code?: number;
  readonly headers?: Record<string, string>;
  /** The answer, whole. */
  readonly text?: string;
  /** Fields of the review that it answers. */
  readonly review?: object;
  /** Fields of the response in it. */
  readonly response?: object;
  readonly patch?: unknown[];
  /** Refuses, and says in the message what it was sent. */
  readonly tells?: 'review' | 'all';
  /** Says in this annotation of the object what it was sent. */
  readonly notes?: string;
  /** Does all this only where it is asked to convert to this version: `v2`. */
  readonly only?: string;
  /** What it puts into every object that it converts; null takes a field out. */
  readonly puts?: object;
  /** Answers with so many objects, whatever it was asked. */
  readonly count?: number;
  /** Answers with the objects in another order. */
  readonly reversed?: boolean;
}

/** Something that a webhook was sent. */
interface Heard<Review> {
  readonly query: string;
  readonly headers: Record<string, string>;
  readonly httpVersion: string;
  /** The client's, by which connections are told apart. */
  readonly port: number;
  readonly review: Review;
}

/** A webhook in another process, by HTTPS on loopback. */
export interface Webhook {
  readonly port: number;
  /** One whose certificate is for another name. */
  readonly misnamedPort: number;
  /** One that has signed its certificate itself, and the certificate as base64 of PEM. */
  readonly selfSigned: { readonly port: number; readonly caBundle: string };
  /** One whose certificate is for `localhost` by its common name alone. */
  readonly namelessPort: number;
  /** Its own certificate, as base64 of PEM. */
  readonly certificate: string;
  /** Who signed its certificate, as base64 of PEM. */
  readonly caBundle: string;
  /** Where it does what it is told. `name`: tells it from others, for `heard`. */
  url(told?: Told, name?: string): string;
  path(told?: Told, name?: string): string;
  /** What it was sent there. */
  heard<Review>(told?: Told, name?: string): Promise<Heard<Review>[]>;
  /** What waits there goes on, and what comes later does not wait. */
  release(told: Told, name?: string): Promise<void>;
  stop(): Promise<void>;
}

/** The path at which a webhook does what it is told. In lower case, as paths of Services are. */
export const pathFor = (told?: Told, name = '') =>
  `/${name}${name && '/'}${told ? Buffer.from(JSON.stringify(told)).toString('hex') : ''}`;

/** `names`: what else than localhost its certificate is for. `host`: another address of loopback to listen on. */
export async function startWebhook(names: readonly string[] = [], host = '127.0.0.1'): Promise<Webhook> {
  const authority = await createCA('webhooks', Date.now());
  const make = (...reachedAs: string[]) =>
    issueServingCertificate(authority, { name: 'webhook', reachedAs }, Date.now());
  const own = await make('localhost', host, ...names);
  const alone = await makeSelfSigned('localhost', host);
  const pairs = [own, await make('elsewhere.example.com'), alone, await makeNameless(authority, 'localhost')];
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
    heard: (told, name) => ask('GET', { host, port, path: pathFor(told, name), ca: authority.certificate }),
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
