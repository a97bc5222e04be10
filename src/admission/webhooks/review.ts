// Admission webhooks: serializes the AdmissionReview that a webhook receives.
import { randomUUID } from 'node:crypto';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { convert } from '../../kind/storage/convert.ts';
import type { ReviewVersion } from '../../webhook/review-document.ts';
import { admissionRequestFields } from '../admission-request-fields.ts';
import type { Attributes } from '../attributes.ts';
import { optionsObject } from '../request-options.ts';

/**
 * Serializes the AdmissionReviews of one request. The objects are serialized once per version, so a new serializer is
 * needed after a webhook has changed the object.
 */
export class ReviewSerializer {
  readonly #attributes: Attributes;
  readonly #objects = new Map<ServedResource, Promise<{ readonly object: string; readonly old: string }>>();

  constructor(attributes: Attributes) {
    this.#attributes = attributes;
  }

  /** Returns the review with the objects in the version that the webhook's rules match. */
  async review(
    version: ReviewVersion,
    matchedResource: ServedResource,
  ): Promise<{ readonly uid: string; readonly json: string }> {
    const { api } = this.#attributes;
    const uid = randomUUID();
    const { object, old } = await this.#objectsIn(matchedResource);
    const apiVersion = `${api.dialect.groupName('admission')}/${version}`;
    // Without the closing brace: the objects are already serialized and are appended as text.
    const request = JSON.stringify({
      uid,
      ...admissionRequestFields(this.#attributes, matchedResource),
    }).slice(0, -1);
    const options = JSON.stringify(optionsObject(this.#attributes));
    const { dryRun } = this.#attributes;
    return {
      uid,
      json:
        `{"kind":"AdmissionReview","apiVersion":${JSON.stringify(apiVersion)},"request":` +
        `${request},"object":${object},"oldObject":${old},"dryRun":${dryRun},"options":${options}}}\n`,
    };
  }

  #objectsIn(matchedResource: ServedResource) {
    let serialized = this.#objects.get(matchedResource);
    if (!serialized) {
      const { object, oldObject } = this.#attributes;
      const serializing = [object, oldObject].map((each) =>
        serializeInVersion(this.#attributes, matchedResource, each),
      );
      serialized = Promise.all(serializing).then(([object = '', old = '']) => ({ object, old }));
      this.#objects.set(matchedResource, serialized);
    }
    return serialized;
  }
}

async function serializeInVersion(
  attributes: Attributes,
  matchedResource: ServedResource,
  object: ApiObject | undefined,
): Promise<string> {
  if (!object) return 'null';
  const kind = matchedResource.kindOf(attributes.target.subresource);
  return String(kind.definition.schema.write(await convertForWebhook(attributes, matchedResource, object)));
}

/**
 * Converts an object of the request to the version that the webhook expects. Subresource kinds (Scale) are not
 * converted.
 */
export function convertForWebhook(
  { target, kind }: Attributes,
  matchedResource: ServedResource,
  object: ApiObject,
): ApiObject | Promise<ApiObject> {
  return kind === target.resource ? convert(object, target.resource, matchedResource) : object;
}

/** Converts an object from the webhook's version back to the version of the request. */
export function convertFromWebhook(
  { target, kind }: Attributes,
  matchedResource: ServedResource,
  object: ApiObject,
): ApiObject | Promise<ApiObject> {
  return kind === target.resource ? convert(object, matchedResource, target.resource) : object;
}
