// Builds and sends requests on a thread of its own, so that the server's thread does only the work of the server.
import type { ClientRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';
import { encodeBody } from './bodies.ts';
import { type BodySource, bodyText, type SentRequest } from './requests.ts';
import { allSubjects } from './subjects.ts';

/** What the measuring thread asks for: prepare a request, then send it. */
export type ClientMessage = { readonly prepare: SentRequest } | { readonly send: true };

/** How long a watch must be silent to count as answered. Milliseconds. */
const silenceMs = 50;
/** A request without response after this time counts as unanswered (code 0). Milliseconds. */
const timeoutMs = 120_000;
/** The part of a response that is reported. */
const maxText = 300;

const { port, ca, token } = workerData as { port: number; ca: string; token: string };
const subjects = new Map(allSubjects().map((subject) => [subject.id, subject]));
const agent = new Agent({ keepAlive: true, ca });

let prepared: { readonly sent: SentRequest; readonly body: Buffer | undefined } | undefined;
/** The text of the last body: the same object is sent in several formats. */
let lastText: { readonly key: string; readonly text: string } | undefined;

parentPort!.on('message', (message: ClientMessage) => {
  if ('prepare' in message) prepare(message.prepare);
  else void send();
});

function prepare(sent: SentRequest): void {
  const body = sent.body && bodyOf(sent.body);
  prepared = { sent, body };
  const isEncodable = !sent.body || body !== undefined;
  parentPort!.postMessage({ prepared: isEncodable ? (body?.length ?? 0) : -1 });
}

function bodyOf(source: BodySource): Buffer | undefined {
  if (source.text !== undefined) return Buffer.from(source.text);
  const subject = subjects.get(source.subject)!;
  const key = JSON.stringify({ ...source, format: undefined });
  if (lastText?.key !== key) lastText = { key, text: bodyText(subject, source) };
  const kind = source.subresource
    ? subject.subresources.find(({ name }) => name === source.subresource)!
    : subject;
  return encodeBody(lastText.text, source.format, kind);
}

async function send(): Promise<void> {
  const { sent, body } = prepared!;
  parentPort!.postMessage(await (sent.isWatch ? watch(sent) : exchange(sent, body)));
}

interface Answer {
  readonly code: number;
  readonly bytes: number;
  readonly text: string;
}

function exchange(sent: SentRequest, body: Buffer | undefined): Promise<Answer> {
  return new Promise((resolve) => {
    const outgoing = open(sent, body);
    let code = 0;
    let bytes = 0;
    let text = '';
    const done = () => resolve({ code, bytes, text });
    outgoing.on('error', done);
    outgoing.on('response', (response) => {
      code = response.statusCode ?? 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (text.length < maxText) text += chunk.toString('utf8', 0, maxText);
      });
      response.on('error', done);
      response.once('close', done);
    });
  });
}

/** Reads the initial events, makes the change, and reads its event. */
function watch(sent: SentRequest): Promise<Answer> {
  return new Promise((resolve) => {
    const outgoing = open(sent, undefined);
    let code = 0;
    let bytes = 0;
    let hasChanged = false;
    const onSilence = async () => {
      if (hasChanged || !sent.during || code !== 200) return outgoing.destroy();
      hasChanged = true;
      await exchange(sent.during, bodyOf(sent.during.body!));
      silence?.refresh();
    };
    let silence: NodeJS.Timeout | undefined;
    outgoing.on('error', () => {});
    outgoing.on('response', (response) => {
      code = response.statusCode ?? 0;
      silence = setTimeout(onSilence, silenceMs);
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        silence?.refresh();
      });
      response.on('error', () => {});
    });
    outgoing.once('close', () => {
      clearTimeout(silence);
      resolve({ code, bytes, text: '' });
    });
  });
}

function open({ method, path, headers }: SentRequest, body: Buffer | undefined): ClientRequest {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    agent,
    method,
    path,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-length': body.length }),
      ...headers,
    },
  });
  const timeout = setTimeout(() => outgoing.destroy(), timeoutMs);
  outgoing.once('close', () => clearTimeout(timeout));
  outgoing.end(body);
  return outgoing;
}
