// Conversion webhooks: converts objects of one custom resource between versions.
import type { CustomResourceDefinition } from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Converter, KindVersion, Unconverted } from '../../kind/definition.ts';
import { NotConverted } from '../../kind/storage/not-converted.ts';
import type { WebhookConnectionPool } from '../../webhook/client.ts';
import type { WebhookEndpoint } from '../../webhook/post.ts';
import { selectReviewVersion } from '../../webhook/review-document.ts';
import type { ConversionContext } from './calls.ts';
import { ConversionFailed } from './conversion-failed.ts';
import type { ConversionMetrics } from './conversion-metrics.ts';
import { convertedObject } from './converted-object.ts';
import { answerTo, questionFor, type Terms } from './review.ts';

type Loaded = typeof import('./calls.ts');

/** Calls conversion webhooks. The HTTP client is loaded with the first call. */
export class ConversionCalls {
  readonly #api: ConversionContext;
  readonly metrics: ConversionMetrics;
  #loaded: Promise<Loaded> | undefined;
  #calls: InstanceType<Loaded['Calls']> | undefined;

  constructor(api: ConversionContext, metrics: ConversionMetrics) {
    this.#api = api;
    this.metrics = metrics;
  }

  get group(): string {
    return this.#api.dialect.groupName('apiextensions');
  }

  /** Throws ConversionFailed. */
  async post(whom: WebhookEndpoint, json: string): Promise<Buffer> {
    this.#loaded ??= import('./calls.ts');
    const { Calls } = await this.#loaded;
    this.#calls ??= new Calls(this.#api);
    return this.#calls.post(whom, json);
  }

  reset(): void {
    this.#calls?.reset();
  }
}

/** The webhook that knows how the versions of a custom kind become each other. */
export class ConversionWebhook implements Converter, WebhookEndpoint {
  readonly clientConfig: WebhookEndpoint['clientConfig'];
  connections: WebhookConnectionPool | undefined;
  readonly #calls: ConversionCalls;
  /** Of the definition. */
  readonly #name: string;
  readonly #terms: Terms;

  constructor({ metadata, spec }: CustomResourceDefinition, calls: ConversionCalls) {
    const { clientConfig = {}, conversionReviewVersions } = spec.conversion?.webhook ?? {};
    this.clientConfig = clientConfig;
    this.#calls = calls;
    this.#name = metadata.name ?? '';
    this.#terms = { group: calls.group, version: selectReviewVersion(conversionReviewVersions) };
  }

  async convert(objects: readonly Unconverted[], to: KindVersion): Promise<ApiObject[]> {
    const start = performance.now();
    const { from } = objects[0]!;
    const note = (failure?: ConversionFailed) =>
      this.#calls.metrics.note(this.#name, from.version, to.version, start, failure?.type);
    try {
      const question = questionFor(this.#terms, objects, to.apiVersion);
      const made = answerTo(question, await this.#calls.post(this, question.json));
      if (made.length !== objects.length) {
        const why = `returned ${made.length} objects, expected ${objects.length}`;
        throw new ConversionFailed('partial_response', why);
      }
      const converted = objects.map((one, index) => convertedObject(one, made[index], index, to));
      note();
      return converted;
    } catch (error) {
      if (!(error instanceof ConversionFailed)) throw error;
      note(error);
      const { message: why, isWhole, type } = error;
      throw new NotConverted(from, { why, isWhole, isOfAll: type === 'call' });
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
