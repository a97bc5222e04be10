import { setTimeout as sleep } from 'node:timers/promises';
import type { Body, Case, JsonObject, Kept, Step } from './case.ts';
import { makeCertificate } from './certificates.ts';
import { type Answer, exchange, type Request, type Server, watchStream, watchWebSocket } from './client.ts';
import { type Signer, signerOf } from './tokens.ts';

/** The User-Agent of all requests, and so the field manager on both sides. */
const userAgent = 'parity';

/** The timeout of asynchronous changes. */
const mostTimes = 300;
const betweenTimes = 50;

/** The requests of a case on one server, and the responses. */
export interface Replay {
  steps: Step[];
  requests: Request[];
  answers: Answer[];
  /** The start of each pause of the case. */
  pauses: number[];
  /** The names of this replay, longest first, with their placeholders. */
  names: [used: string, placeholder: string][];
}

/** Replays the whole case on one server; `unique` is a word that is not used there otherwise. */
export async function replay(server: Server, scenario: Case, unique: string): Promise<Replay> {
  const names: Record<string, string> = {
    ns: `parity-${unique}`,
    name: `parity-${unique}-name`,
    other: `parity-${unique}-other`,
    ...(server.webhook && {
      webhook: server.webhook.url().replace(/\/$/, ''),
      authority: server.webhook.caBundle,
      webhookCertificate: server.webhook.certificate,
      selfSigned: `https://127.0.0.1:${server.webhook.selfSigned.port}`,
      selfSignedCertificate: server.webhook.selfSigned.caBundle,
      nameless: `https://localhost:${server.webhook.namelessPort}`,
      misnamed: `https://127.0.0.1:${server.webhook.misnamedPort}`,
    }),
  };
  const { backend } = server;
  if (backend) {
    const { host, port, caBundle } = backend;
    Object.assign(names, { backend: host, backendport: String(port), backendca: caBundle });
  }
  const kept: Record<string, JsonObject> = {};
  const steps: Step[] = [];
  const requests: Request[] = [];
  const answers: Answer[] = [];
  const pauses: number[] = [];
  const sign = signerOf(server);

  async function run(step: Step): Promise<void> {
    if (step.after !== undefined) {
      pauses.push(Date.now());
      await sleep(step.after * 1000);
    }
    const request = prepare(server, step, names, kept, sign);
    const position = requests.push(request) - 1;
    steps.push(step);
    let answer = await perform(step, request).catch(unanswered);
    for (let times = 1; step.until && !step.until(parts(answer), answer) && times < mostTimes; times++) {
      await sleep(betweenTimes);
      answer = await perform(step, request).catch(unanswered);
    }
    answers[position] = answer;
    if (step.as !== undefined) kept[step.as] = parts(answer);
  }

  async function perform(step: Step, request: Request): Promise<Answer> {
    const { watch } = step;
    if (!watch) return exchange(server, request);
    const during = async () => {
      for (const inner of watch.during ?? []) await run(inner);
    };
    return watch.over === 'websocket'
      ? watchWebSocket(server, request, watch, during)
      : watchStream(server, request, watch, during);
  }

  if (mentions(scenario, '{ns}')) await makeNamespace(server, names.ns ?? '');
  for (const step of scenario.steps) await run(step);
  const used = Object.entries(names).map(([key, name]): [string, string] => [name, `{${key}}`]);
  return { steps, requests, answers, pauses, names: used.sort((a, b) => b[0].length - a[0].length) };
}

/** A closed connection counts as a response. */
function unanswered(error: unknown): Answer {
  return { status: 0, headers: [], body: `no answer: ${String(error)}` };
}

function prepare(
  server: Server,
  step: Step,
  names: Record<string, string>,
  kept: Kept,
  sign: Signer,
): Request {
  const fill = (text: string) => fillIn(text, names, kept);
  const headers: Record<string, string | string[]> = { 'user-agent': userAgent };
  const asks = step.certificate === undefined ? server.token : null;
  const token = step.token === undefined ? asks : step.token;
  if (token !== null) {
    headers.authorization = `Bearer ${typeof token === 'function' ? token(kept, sign) : fill(token)}`;
  }
  if (step.body !== undefined) headers['content-type'] = 'application/json';
  for (const [name, value] of Object.entries(step.headers ?? {})) {
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = Array.isArray(value) ? value.map(fill) : fill(value);
  }
  const request: Request = { method: step.method, path: fill(step.path), headers };
  if (step.body !== undefined) request.body = encode(step.body, kept, sign, fill);
  const { clientAuthority, proxyAuthority } = server;
  if (step.certificate && clientAuthority) {
    const shown = JSON.parse(fill(JSON.stringify(step.certificate))) as typeof step.certificate;
    request.certificate = makeCertificate({ clientAuthority, proxyAuthority }, shown);
  }
  return request;
}

function encode(body: Body, kept: Kept, sign: Signer, fill: (text: string) => string): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string') return Buffer.from(fill(body));
  return Buffer.from(fill(JSON.stringify(typeof body === 'function' ? body(kept, sign) : body)));
}

const abbreviations: Record<string, string[]> = {
  rv: ['metadata', 'resourceVersion'],
  uid: ['metadata', 'uid'],
  name: ['metadata', 'name'],
  continue: ['metadata', 'continue'],
  token: ['status', 'token'],
  etag: ['@etag'],
  hash: ['@hash'],
};

function fillIn(text: string, names: Record<string, string>, kept: Kept): string {
  return text.replaceAll(/\{(\w+)(?:\.(\w+))?\}/g, (whole, name: string, part?: string) => {
    if (part === undefined) return names[name] ?? whole;
    const from = kept[name];
    const path = abbreviations[part];
    if (!path) return whole;
    let value: unknown = from;
    for (const key of path) value = (value as JsonObject | undefined)?.[key];
    return typeof value === 'string' ? value : '';
  });
}

function mentions(scenario: Case, placeholder: string): boolean {
  const mentioned = (step: Step): boolean =>
    step.path.includes(placeholder) || (step.watch?.during ?? []).some(mentioned);
  return scenario.steps.some(mentioned);
}

async function makeNamespace(server: Server, name: string): Promise<void> {
  const body = Buffer.from(JSON.stringify({ metadata: { name } }));
  const headers = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    'user-agent': userAgent,
  };
  const made = await exchange(server, { method: 'POST', path: '/api/v1/namespaces', headers, body });
  if (made.status !== 201)
    throw new Error(`namespace ${name} could not be made: ${made.status} ${made.body}`);
}

/** The values of a response that later requests may use. */
function parts(answer: Answer): JsonObject {
  const etag = answer.headers.find(([name]) => name === 'etag')?.[1];
  try {
    const body: unknown = JSON.parse(answer.body);
    if (typeof body !== 'object' || body === null) return {};
    if (etag === undefined) return body as JsonObject;
    return { ...body, '@etag': etag, '@hash': etag.replaceAll('"', '') };
  } catch {
    return {};
  }
}
