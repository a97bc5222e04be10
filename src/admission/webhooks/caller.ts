// Admission webhooks: sends an AdmissionReview to a webhook and reads its response.
import { quote } from '../../errors/quote.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { InvalidCABundle } from '../../pki/ca-bundle.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import { DecodeError } from '../../schema/decoding.ts';
import { UndecodableBody } from '../../serializers/request-body.ts';
import { WebhookCallError, type WebhookCallOptions } from '../../webhook/client.ts';
import { postReview } from '../../webhook/post.ts';
import { selectReviewVersion } from '../../webhook/review-document.ts';
import { ServiceResolver } from '../../webhook/service-resolver.ts';
import type { Attributes } from '../attributes.ts';
import { type AdmissionResponse, InvalidResponse, readAdmissionResponse } from './admission-response.ts';
import type { ReviewSerializer } from './review.ts';
import type { WebhookAccessor } from './webhook-accessor.ts';

/** The call failed or the response is invalid (upstream: ErrCallingWebhook); failurePolicy decides about the request. */
export class CallingWebhookError extends Error {
  /** The status code in metrics. */
  readonly code: number;

  constructor(hook: WebhookAccessor, code: number, reason: string) {
    super(`failed calling webhook ${quote(hook.name)}: ${reason}`);
    this.code = code;
  }
}

const defaultTimeoutSeconds = 10;
/** Time for the API request to end by its own deadline before the webhook call times out. */
const deadlineGraceMs = 1000;

export class WebhookCaller {
  readonly #api: StorageContext;
  readonly #services: ServiceResolver;

  constructor(api: StorageContext) {
    this.#api = api;
    this.#services = new ServiceResolver(api);
  }

  /** Throws CallingWebhookError. */
  async call(
    hook: WebhookAccessor,
    attributes: Attributes,
    serializer: ReviewSerializer,
    matchedResource: ServedResource,
    mayPatch: boolean,
  ): Promise<AdmissionResponse> {
    const { dialect } = this.#api;
    const version = selectReviewVersion(hook.webhook.admissionReviewVersions);
    const { uid, json } = await serializer.review(version, matchedResource);
    const body = await this.#post(hook, attributes, json);
    try {
      return readAdmissionResponse(body, { version, group: dialect.groupName('admission'), uid, mayPatch });
    } catch (error) {
      if (error instanceof InvalidResponse) {
        throw new CallingWebhookError(hook, 400, `received invalid webhook response: ${error.message}`);
      }
      const isWebhookError = error instanceof UndecodableBody || error instanceof DecodeError;
      throw isWebhookError
        ? new CallingWebhookError(hook, 400, `failed to call webhook: ${error.message}`)
        : error;
    }
  }

  reset(): void {
    this.#services.reset();
  }

  async #post(hook: WebhookAccessor, { request }: Attributes, json: string): Promise<Buffer> {
    const { clock, dialect } = this.#api;
    const webhookTimeoutMs = (hook.webhook.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
    const requestTimeLeftMs = (request?.deadlineMs ?? Number.POSITIVE_INFINITY) - clock.elapsed();
    // Never longer than the API request has left. The deadline of the request fires first and produces its own error.
    const timeoutMs = Math.max(1, Math.min(webhookTimeoutMs, requestTimeLeftMs));
    const options: WebhookCallOptions = {
      clock,
      timeoutMs,
      deadlineGraceMs: requestTimeLeftMs < webhookTimeoutMs ? deadlineGraceMs : 0,
      signal: request?.signal,
      userAgent: `${dialect.serverName}-admission`,
    };
    try {
      return await postReview(hook, this.#services, json, options);
    } catch (error) {
      if (error instanceof InvalidCABundle) {
        throw new CallingWebhookError(hook, 503, `could not get REST client: ${error.message}`);
      }
      if (!(error instanceof WebhookCallError)) throw error;
      throw new CallingWebhookError(hook, error.code, `failed to call webhook: ${error.message}`);
    }
  }
}
