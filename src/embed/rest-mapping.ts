// The URL paths of kinds, from the server's discovery documents (client-go: RESTMapper).
import { resourceNotServed } from '../errors/catalogue.ts';

/** A resource as discovery describes it. */
export interface DiscoveredResource {
  /** In the path: the plural. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Names an object, a collection or a subresource of a kind. */
export interface PathParts {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Discovery is read once for each group version, and again for a kind that it lacks: a CRD may have been created since. */
export class RestMapping {
  readonly #discover: (path: string) => Promise<readonly DiscoveredResource[]>;
  readonly #resources = new Map<string, Promise<readonly DiscoveredResource[]>>();

  constructor(discover: (path: string) => Promise<readonly DiscoveredResource[]>) {
    this.#discover = discover;
  }

  async find(apiVersion: string, kind: string): Promise<DiscoveredResource> {
    const ofKind = (resources: readonly DiscoveredResource[]) =>
      resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
    const known = this.#resources.get(apiVersion);
    const found = known && ofKind(await known.catch(() => []));
    if (found) return found;
    const latest = this.#discover(basePath(apiVersion));
    this.#resources.set(apiVersion, latest);
    const resource = ofKind(await latest);
    if (!resource) throw resourceNotServed();
    return resource;
  }
}

const basePath = (apiVersion: string) =>
  apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

export function pathOf(apiVersion: string, resource: DiscoveredResource, parts: PathParts): string {
  const segments = [basePath(apiVersion)];
  if (resource.namespaced && parts.namespace)
    segments.push('namespaces', encodeURIComponent(parts.namespace));
  segments.push(resource.name);
  if (parts.name) segments.push(encodeURIComponent(parts.name));
  if (parts.subresource) segments.push(parts.subresource);
  return segments.join('/');
}
