// Conversion webhooks: converts objects of one custom resource between versions, by calling the webhook of its definition.
import type { CustomResourceDefinition } from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Converter, KindVersion, Unconverted } from '../../kind/definition.ts';
import { ConversionWebhookError } from '../../kind/storage/conversion-webhook-error.ts';
import type { WebhookConnectionPool } from '../../webhook/client.ts';
import type { WebhookEndpoint } from '../../webhook/post.ts';
import { selectReviewVersion } from '../../webhook/review-document.ts';
import type { ConversionContext } from './conversion-client.ts';
import { ConversionFailed } from './conversion-failed.ts';
import type { ConversionMetrics } from './conversion-metrics.ts';
import { decodeConvertedObject } from './converted-object.ts';
import { type ConversionReviewType, newConversionRequest, readConvertedObjects } from './review.ts';

type ClientModule = typeof import('./conversion-client.ts');

/** Calls conversion webhooks. The HTTP client is loaded with the first call. */
export class LazyConversionClient {
  readonly #api: ConversionContext;
  readonly metrics: ConversionMetrics;
  #module: Promise<ClientModule> | undefined;
  #client: InstanceType<ClientModule['ConversionClient']> | undefined;

  constructor(api: ConversionContext, metrics: ConversionMetrics) {
    this.#api = api;
    this.metrics = metrics;
  }

  get group(): string {
    return this.#api.dialect.groupName('apiextensions');
  }

  /** Throws ConversionFailed. */
  async post(endpoint: WebhookEndpoint, json: string): Promise<Buffer> {
    this.#module ??= import('./conversion-client.ts');
    const { ConversionClient } = await this.#module;
    this.#client ??= new ConversionClient(this.#api);
    return this.#client.post(endpoint, json);
  }

  reset(): void {
    this.#client?.reset();
  }
}

/** The conversion webhook of one CustomResourceDefinition. */
export class ConversionWebhook implements Converter, WebhookEndpoint {
  readonly clientConfig: WebhookEndpoint['clientConfig'];
  connections: WebhookConnectionPool | undefined;
  readonly #client: LazyConversionClient;
  readonly #definitionName: string;
  readonly #reviewType: ConversionReviewType;

  constructor({ metadata, spec }: CustomResourceDefinition, client: LazyConversionClient) {
    const { clientConfig = {}, conversionReviewVersions } = spec.conversion?.webhook ?? {};
    this.clientConfig = clientConfig;
    this.#client = client;
    this.#definitionName = metadata.name ?? '';
    this.#reviewType = { group: client.group, version: selectReviewVersion(conversionReviewVersions) };
  }

  /** All objects must have the same version. Throws ConversionWebhookError. */
  async convert(objects: readonly Unconverted[], to: KindVersion): Promise<ApiObject[]> {
    const start = performance.now();
    const { from } = objects[0]!;
    const record = (failure?: ConversionFailed) =>
      this.#client.metrics.record(this.#definitionName, from.version, to.version, start, failure?.type);
    try {
      const request = newConversionRequest(this.#reviewType, objects, to.apiVersion);
      const returned = readConvertedObjects(request, await this.#client.post(this, request.json));
      if (returned.length !== objects.length) {
        const message = `returned ${returned.length} objects, expected ${objects.length}`;
        throw new ConversionFailed('partial_response', message);
      }
      const converted = objects.map((original, index) =>
        decodeConvertedObject(original, returned[index], index, to),
      );
      record();
      return converted;
    } catch (error) {
      if (!(error instanceof ConversionFailed)) throw error;
      record(error);
      const { message, isCompleteMessage, type } = error;
      throw new ConversionWebhookError(from, {
        reason: message,
        isCompleteMessage,
        isCallFailure: type === 'call',
      });
    }
  }

  /** Closes the connections once the calls in flight have ended. */
  retire(): void {
    this.connections?.retire();
  }

  close(): void {
    this.connections?.close();
  }
}
