// Admission: the AdmissionRequest fields that CEL expressions (variable `request`) and webhooks share.
import type { ServedResource } from '../kind/registry.ts';
import type { Attributes } from './attributes.ts';

/** `request.namespace`. For a Namespace object it is the object's own name, and '' before that name is generated. */
export function namespaceOfRequest({ target, object, name }: Attributes): string {
  if (target.resource.prefix !== 'namespaces') return target.namespace;
  return target.name === '' && object?.metadata.generateName ? '' : name;
}

/**
 * The fields of an AdmissionRequest without its objects. `matchedResource`: the resource in the version that the rule
 * names, into which the objects are converted; `requestKind` and `requestResource` keep the version of the request.
 */
export function admissionRequestFields(attributes: Attributes, matchedResource: ServedResource): object {
  const { target, operation, user, name } = attributes;
  const { resource, subresource } = target;
  const namespace = namespaceOfRequest(attributes);
  const { name: username, uid, groups, extra } = user;
  return {
    kind: groupVersionKind(matchedResource, subresource),
    resource: groupVersionResource(matchedResource),
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: groupVersionKind(resource, subresource),
    requestResource: groupVersionResource(resource),
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: {
      ...(username !== '' && { username }),
      ...(uid !== '' && { uid }),
      ...(groups.length > 0 && { groups }),
      ...(Object.keys(extra).length > 0 && { extra }),
    },
  };
}

function groupVersionKind(resource: ServedResource, subresource: string): object {
  const { group, version, kind } = resource.kindOf(subresource);
  return { group, version, kind };
}

function groupVersionResource({ group, version, definition }: ServedResource): object {
  return { group, version, resource: definition.plural };
}
