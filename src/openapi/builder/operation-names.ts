// OpenAPI: the ids of operations (readCoreV1NamespacedPod) and their tags.
import type { ResourceDefinition } from '../../kind/definition.ts';

type NamedResource = Pick<ResourceDefinition, 'group' | 'version' | 'kind' | 'namespaced'>;

/** The names of the operations of a resource or subresource. */
export class OperationNames {
  /** The kind in descriptions, with the subresource: `status of the Pod`. */
  readonly kindText: string;
  readonly #resource: NamedResource;
  readonly #groupVersion: string;
  readonly #subresource: string;

  constructor(resource: NamedResource, subresource = '') {
    this.#resource = resource;
    this.#groupVersion = groupWord(resource.group) + capitalized(resource.version);
    this.#subresource = capitalized(subresource);
    this.kindText = subresource === '' ? resource.kind : `${subresource} of the ${resource.kind}`;
  }

  operationId(verb: string, { suffix = '', prefix = '' } = {}): string {
    const { kind, namespaced } = this.#resource;
    const scope = namespaced ? 'Namespaced' : '';
    return verb + this.#groupVersion + prefix + scope + kind + this.#subresource + suffix;
  }

  /** The id of a list or watch across all namespaces. */
  operationIdForAllNamespaces(verb: string, suffix = ''): string {
    return `${verb}${this.#groupVersion}${this.#resource.kind}${suffix}ForAllNamespaces`;
  }
}

/** The group in operation ids: `Core`, `RbacAuthorization`. */
export function groupWord(groupId: string): string {
  return groupId === '' ? 'Core' : groupId.split(/[.-]/).map(capitalized).join('');
}

/** The tag of a group or group version: `core_v1`, `rbacAuthorization_v1`. */
export function tagOf({ group, version }: { readonly group: string; readonly version?: string }): string {
  const word = groupWord(group);
  const tag = word[0]!.toLowerCase() + word.slice(1);
  return version === undefined ? tag : `${tag}_${version}`;
}

export function capitalized(word: string): string {
  return word === '' ? '' : word[0]!.toUpperCase() + word.slice(1);
}
