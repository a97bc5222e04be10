// Admission webhooks: sends an AdmissionReview over the connections of a webhook.
import { quote } from '../../errors/quote.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { BadAuthorities } from '../../pki/trust.ts';
import type { Api } from '../../registry/api.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { UnreadableBody } from '../../serializers/sent-body.ts';
import { ServiceAddresses } from '../../webhook/address.ts';
import { CallFailed, type CallTerms } from '../../webhook/client.ts';
import { post } from '../../webhook/post.ts';
import { versionOf } from '../../webhook/review-document.ts';
import type { Attributes } from '../attributes.ts';
import type { Hook } from './hook.ts';
import type { ReviewSerializer } from './review.ts';
import { type AdmissionResponse, InvalidResponse, readResponse } from './review-answer.ts';

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

/** Calls webhooks, each with its own connection pool. */
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
    telling: ReviewSerializer,
    as: ServedResource,
    mayChange: boolean,
  ): Promise<AdmissionResponse> {
    const { dialect } = this.#api;
    const version = versionOf(hook.webhook.admissionReviewVersions);
    const { uid, json } = await telling.review(version, as);
    const answer = await this.#post(hook, attributes, json);
    try {
      return readResponse(answer, { version, group: dialect.groupName('admission'), uid, mayChange });
    } catch (error) {
      if (error instanceof InvalidResponse) {
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
    const allowed = (hook.webhook.timeoutSeconds ?? usualTimeout) * 1000;
    const left = (request?.deadlineMs ?? Number.POSITIVE_INFINITY) - clock.elapsed();
    // The timeout is no longer than that of the request, which ends by its own signal and with its own error.
    const patience = Math.max(1, Math.min(allowed, left));
    const terms: CallTerms = {
      clock,
      patience,
      grace: left < allowed ? endsByItself : 0,
      signal: request?.signal,
      userAgent: `${dialect.serverName}-admission`,
    };
    try {
      return await post(hook, this.#services, json, terms);
    } catch (error) {
      if (error instanceof BadAuthorities) {
        throw new NoVerdict(hook, 503, `could not get REST client: ${error.message}`);
      }
      if (!(error instanceof CallFailed)) throw error;
      throw new NoVerdict(hook, error.code, `failed to call webhook: ${error.message}`);
    }
  }
}

/** How many milliseconds a request that has run out of time may take to notice. */
const endsByItself = 1000;
