import { quote } from '../../errors/quote.ts';
import type { Api } from '../../resource/api.ts';
import type { ServedResource } from '../../resource/registry.ts';
import { UnreadableBody } from '../../resource/sent-body.ts';
import { DecodeError } from '../../schema/decoding.ts';
import type { Attributes } from '../attributes.ts';
import { addressOf, NoBackend, ServiceAddresses } from './address.ts';
import { type Address, BadAuthorities, CallFailed, type CallTerms, Connections } from './client.ts';
import type { Hook } from './hook.ts';
import type { Telling } from './review.ts';
import { InvalidAnswer, type ReviewVersion, readAnswer, type Verdict } from './review-answer.ts';

/** A webhook that gave no answer that counts. What becomes of the write is for its failure policy to say. */
export class NoVerdict extends Error {
  /** As metrics count it. */
  readonly code: number;

  constructor(hook: Hook, code: number, why: string) {
    super(`failed calling webhook ${quote(hook.name)}: ${why}`);
    this.code = code;
  }
}

const usualTimeout = 10;

/** Asks webhooks, each over connections of its own. */
export class Caller {
  readonly #api: Api;
  readonly #services: ServiceAddresses;

  constructor(api: Api) {
    this.#api = api;
    this.#services = new ServiceAddresses(api);
  }

  /** Throws NoVerdict. */
  async ask(
    hook: Hook,
    attributes: Attributes,
    telling: Telling,
    as: ServedResource,
    mayChange: boolean,
  ): Promise<Verdict> {
    const { dialect } = this.#api;
    const version = versionFor(hook);
    const { uid, json } = telling.review(version, as);
    const answer = await this.#post(hook, attributes, json);
    try {
      return readAnswer(answer, { version, group: dialect.groupName('admission'), uid, mayChange });
    } catch (error) {
      if (error instanceof InvalidAnswer) {
        throw new NoVerdict(hook, 400, `received invalid webhook response: ${error.message}`);
      }
      const isTheirs = error instanceof UnreadableBody || error instanceof DecodeError;
      throw isTheirs ? new NoVerdict(hook, 400, `failed to call webhook: ${error.message}`) : error;
    }
  }

  reset(): void {
    this.#services.reset();
  }

  async #post(hook: Hook, { request }: Attributes, json: string): Promise<Buffer> {
    const { clock, dialect } = this.#api;
    const patience = patienceFor(hook, request?.deadline, clock.now());
    const terms: CallTerms = {
      clock,
      patience,
      signal: request?.signal,
      userAgent: `${dialect.serverName}-admission`,
    };
    try {
      const connections = connectionsOf(hook);
      return await connections.post(this.#addressOf(hook, patience), json, terms);
    } catch (error) {
      if (error instanceof BadAuthorities) {
        throw new NoVerdict(hook, 503, `could not get REST client: ${error.message}`);
      }
      if (!(error instanceof CallFailed)) throw error;
      throw new NoVerdict(hook, error.code, `failed to call webhook: ${error.message}`);
    }
  }

  #addressOf({ webhook }: Hook, patience: number): Address {
    const { url, service } = webhook.clientConfig;
    if (url !== undefined) return addressOf(url);
    try {
      return this.#services.find(service!);
    } catch (error) {
      if (!(error instanceof NoBackend)) throw error;
      throw new CallFailed(`Post "${error.url}?timeout=${inSeconds(patience)}": ${error.message}`, 503);
    }
  }
}

/** The first that both sides understand. */
function versionFor({ webhook }: Hook): ReviewVersion {
  const known = webhook.admissionReviewVersions?.find((one) => one === 'v1' || one === 'v1beta1');
  return (known as ReviewVersion | undefined) ?? 'v1';
}

/** In milliseconds. Nobody waits longer than for the request itself. */
function patienceFor({ webhook }: Hook, deadline = Number.POSITIVE_INFINITY, now: number): number {
  const allowed = (webhook.timeoutSeconds ?? usualTimeout) * 1000;
  return Math.max(1, Math.min(allowed, deadline - now));
}

const inSeconds = (ms: number) => `${Math.ceil(ms / 1000)}s`;

function connectionsOf(hook: Hook): Connections {
  const { caBundle = '' } = hook.webhook.clientConfig;
  hook.connections ??= new Connections(
    caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString(),
  );
  return hook.connections;
}
