// Admission CEL: the variables object, oldObject, request, namespaceObject and authorizer of an expression.
import type { Cel } from '../../cel/on-demand.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeLazily } from '../../kind/storage/codec.ts';
import { convert } from '../../kind/storage/convert.ts';
import { toJsonValue } from '../../schema/to-json-value.ts';
import { admissionRequestFields, namespaceOfRequest } from '../admission-request-fields.ts';
import type { Attributes } from '../attributes.ts';
import { optionsObject } from '../request-options.ts';
import { PendingInput, RequestAuthorizer } from './request-authorizer.ts';

/**
 * The variables of an expression, by name. Each is created on first access, because most expressions read few of them.
 */
export class AdmissionVariables {
  readonly #cel: Cel;
  readonly #attributes: Attributes;
  readonly #matchedResource: ServedResource;
  #object: unknown;
  #oldObject: unknown;
  #request: object | undefined;
  #namespaceObject: unknown;
  #requestAuthorizer: RequestAuthorizer | undefined;
  /** Objects in the version of `#matchedResource`. */
  readonly #converted = new WeakMap<ApiObject, ApiObject>();

  /** `matchedResource`: the resource in the version that the rule or policy names. */
  constructor(cel: Cel, attributes: Attributes, matchedResource: ServedResource) {
    this.#cel = cel;
    this.#attributes = attributes;
    this.#matchedResource = matchedResource;
  }

  get object(): unknown {
    if (this.#object === undefined) this.#object = this.#celValueOf(this.#attributes.object);
    return this.#object;
  }

  get oldObject(): unknown {
    if (this.#oldObject === undefined) this.#oldObject = this.#celValueOf(this.#attributes.oldObject);
    return this.#oldObject;
  }

  get request(): object {
    this.#request ??= requestVariable(this.#attributes, this.#matchedResource);
    return this.#request;
  }

  /** Null for cluster-scoped objects. */
  get namespaceObject(): unknown {
    if (this.#namespaceObject === undefined) this.#namespaceObject = namespaceObjectOf(this.#attributes);
    return this.#namespaceObject;
  }

  get authorizer(): unknown {
    return this.#cel.authorizerValue(this.#authorizerHost);
  }

  get 'authorizer.requestResource'(): unknown {
    const { target, name } = this.#attributes;
    const { group, definition } = target.resource;
    return this.#cel.requestResourceValue(this.#authorizerHost, {
      group,
      resource: definition.plural,
      ...(target.subresource !== '' && { subresource: target.subresource }),
      namespace: namespaceOfRequest(this.#attributes),
      name,
    });
  }

  get #authorizerHost(): RequestAuthorizer {
    this.#requestAuthorizer ??= new RequestAuthorizer(this.#attributes);
    return this.#requestAuthorizer;
  }

  /** The object in the version of `#matchedResource`, as JSON values; null where the request has no such object. */
  #celValueOf(object: ApiObject | undefined): ApiObject | null {
    if (!object) return null;
    const { operation, target } = this.#attributes;
    const { resource, subresource } = target;
    const kind = resource.kindOf(subresource);
    if (operation === 'CONNECT') return withoutMetadata(object);
    // The kind of a subresource (Scale) is not converted.
    if (kind !== resource) return toJsonValue(kind.definition.schema, object);
    return toJsonValue(
      this.#matchedResource.definition.schema,
      this.#converted.get(object) ?? this.#convert(object),
    );
  }

  /** Throws PendingInput if the conversion is asynchronous (a conversion webhook). */
  #convert(object: ApiObject): ApiObject {
    const converted = convert(object, this.#attributes.target.resource, this.#matchedResource);
    if (!(converted instanceof Promise)) return converted;
    throw new PendingInput(converted.then((result) => void this.#converted.set(object, result)));
  }
}

/** The options objects of CONNECT (PodExecOptions) have no metadata. */
function withoutMetadata({ metadata: _, ...options }: ApiObject): ApiObject {
  return options as ApiObject;
}

/** The variable `request`. It has no UID and no objects: expressions read the variables `object` and `oldObject`. */
const requestVariable = (attributes: Attributes, matchedResource: ServedResource): object => ({
  uid: '',
  ...admissionRequestFields(attributes, matchedResource),
  object: null,
  oldObject: null,
  dryRun: attributes.dryRun,
  options: optionsObject(attributes),
});

/** The metadata fields of `namespaceObject`, as upstream. */
const visibleMetadata = [
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

function namespaceObjectOf({ api, namespace }: Attributes): object | null {
  const stored = namespace === '' ? undefined : api.store.get(`namespaces/${namespace}`);
  if (!stored) return null;
  const { metadata, spec, status } = decodeLazily(api.registry.kind('', 'v1', 'namespaces'), stored);
  const visible = visibleMetadata.filter((name) => metadata[name] !== undefined);
  return { metadata: Object.fromEntries(visible.map((name) => [name, metadata[name]])), spec, status };
}
