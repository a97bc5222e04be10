// Admission CEL: the variables object, oldObject, request, namespaceObject and params of an expression.
import type { Cel } from '../../cel/on-demand.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeLazily } from '../../kind/storage/codec.ts';
import { convert } from '../../kind/storage/convert.ts';
import { shown } from '../../schema/shown.ts';
import type { Attributes } from '../attributes.ts';
import { aboutRequest, namespaceOfRequest } from '../request-object.ts';
import { optionsObject } from '../request-options.ts';
import { PendingDecision, RequestAuthorizer } from './rights.ts';

/**
 * The variables of an expression, by name. Each is created on first access, because most expressions read few of them.
 */
export class AdmissionVariables {
  readonly #cel: Cel;
  readonly #attributes: Attributes;
  readonly #as: ServedResource;
  #object: unknown;
  #oldObject: unknown;
  #request: object | undefined;
  #namespaceObject: unknown;
  #rights: RequestAuthorizer | undefined;
  /** The objects after earlier mutating webhooks. */
  readonly #converted = new WeakMap<ApiObject, ApiObject>();

  /** `as`: the version in which the objects are seen. */
  constructor(cel: Cel, attributes: Attributes, as: ServedResource) {
    this.#cel = cel;
    this.#attributes = attributes;
    this.#as = as;
  }

  get object(): unknown {
    if (this.#object === undefined) this.#object = this.#shown(this.#attributes.object);
    return this.#object;
  }

  get oldObject(): unknown {
    if (this.#oldObject === undefined) this.#oldObject = this.#shown(this.#attributes.old);
    return this.#oldObject;
  }

  get request(): object {
    this.#request ??= requestOf(this.#attributes, this.#as);
    return this.#request;
  }

  /** Null for cluster-scoped objects. */
  get namespaceObject(): unknown {
    if (this.#namespaceObject === undefined) this.#namespaceObject = namespaceOf(this.#attributes);
    return this.#namespaceObject;
  }

  get authorizer(): unknown {
    return this.#cel.authorizerValue(this.#host);
  }

  get 'authorizer.requestResource'(): unknown {
    const { target, name } = this.#attributes;
    const { group, definition } = target.resource;
    return this.#cel.requestResourceValue(this.#host, {
      group,
      resource: definition.plural,
      ...(target.subresource !== '' && { subresource: target.subresource }),
      namespace: namespaceOfRequest(this.#attributes),
      name,
    });
  }

  get #host(): RequestAuthorizer {
    this.#rights ??= new RequestAuthorizer(this.#attributes);
    return this.#rights;
  }

  #shown(object: ApiObject | undefined): ApiObject | null {
    if (!object) return null;
    const { operation, target } = this.#attributes;
    const { resource, subresource } = target;
    const kind = resource.kindOf(subresource);
    if (operation === 'CONNECT') return withoutMetadata(object);
    if (kind !== resource) return shown(kind.definition.schema, object);
    return shown(this.#as.definition.schema, this.#converted.get(object) ?? this.#convert(object));
  }

  /** An asynchronous authorizer makes the expression be evaluated again. */
  #convert(object: ApiObject): ApiObject {
    const converted = convert(object, this.#attributes.target.resource, this.#as);
    if (!(converted instanceof Promise)) return converted;
    throw new PendingDecision(converted.then((answer) => void this.#converted.set(object, answer)));
  }
}

/** The options of a connection have none. */
function withoutMetadata({ metadata: _, ...options }: ApiObject): ApiObject {
  return options as ApiObject;
}

const requestOf = (attributes: Attributes, as: ServedResource): object => ({
  uid: '',
  ...aboutRequest(attributes, as),
  object: null,
  oldObject: null,
  dryRun: attributes.dryRun,
  options: optionsObject(attributes),
});

/** Of a namespace's metadata expressions see these. */
const seenMetadata = [
  'name',
  'generateName',
  'namespace',
  'labels',
  'annotations',
  'uid',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'resourceVersion',
  'finalizers',
] as const;

function namespaceOf({ api, namespace }: Attributes): object | null {
  const stored = namespace === '' ? undefined : api.store.get(`namespaces/${namespace}`);
  if (!stored) return null;
  const { metadata, spec, status } = decodeLazily(api.registry.kind('', 'v1', 'namespaces'), stored);
  const seen = seenMetadata.filter((name) => metadata[name] !== undefined);
  return { metadata: Object.fromEntries(seen.map((name) => [name, metadata[name]])), spec, status };
}
