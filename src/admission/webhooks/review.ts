// Admission webhooks: serializes the AdmissionReview request.
import { randomUUID } from 'node:crypto';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { convert } from '../../kind/storage/convert.ts';
import type { ReviewVersion } from '../../webhook/review-document.ts';
import type { Attributes } from '../attributes.ts';
import { aboutRequest } from '../request-object.ts';
import { optionsObject } from '../request-options.ts';

/**
 * A write as webhooks are told of it. What several of them are told alike is put into words once, as long as nobody changes
 * the object.
 */
export class ReviewSerializer {
  readonly #attributes: Attributes;
  readonly #objects = new Map<ServedResource, Promise<{ readonly object: string; readonly old: string }>>();

  constructor(attributes: Attributes) {
    this.#attributes = attributes;
  }

  /** The review in which a webhook is asked, in terms of the version that its rules speak of. */
  async review(
    version: ReviewVersion,
    as: ServedResource,
  ): Promise<{ readonly uid: string; readonly json: string }> {
    const { api } = this.#attributes;
    const uid = randomUUID();
    const { object, old } = await this.#objectsAs(as);
    const apiVersion = `${api.dialect.groupName('admission')}/${version}`;
    const request = JSON.stringify({ uid, ...aboutRequest(this.#attributes, as) }).slice(0, -1);
    const options = JSON.stringify(optionsObject(this.#attributes));
    const { dryRun } = this.#attributes;
    return {
      uid,
      json:
        `{"kind":"AdmissionReview","apiVersion":${JSON.stringify(apiVersion)},"request":` +
        `${request},"object":${object},"oldObject":${old},"dryRun":${dryRun},"options":${options}}}\n`,
    };
  }

  #objectsAs(as: ServedResource) {
    let written = this.#objects.get(as);
    if (!written) {
      const { object, old } = this.#attributes;
      const both = [object, old].map((one) => write(this.#attributes, as, one));
      written = Promise.all(both).then(([object = '', old = '']) => ({ object, old }));
      this.#objects.set(as, written);
    }
    return written;
  }
}

async function write(
  attributes: Attributes,
  as: ServedResource,
  object: ApiObject | undefined,
): Promise<string> {
  if (!object) return 'null';
  const kind = as.kindOf(attributes.target.subresource);
  return String(kind.definition.schema.write(await inVersion(attributes, as, object)));
}

/** An object of the write as another version of its kind shows it. */
export function inVersion(
  { target, kind }: Attributes,
  as: ServedResource,
  object: ApiObject,
): ApiObject | Promise<ApiObject> {
  return kind === target.resource ? convert(object, target.resource, as) : object;
}

/** The way back. */
export function fromVersion(
  { target, kind }: Attributes,
  as: ServedResource,
  object: ApiObject,
): ApiObject | Promise<ApiObject> {
  return kind === target.resource ? convert(object, as, target.resource) : object;
}
