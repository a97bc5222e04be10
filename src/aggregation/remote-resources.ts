// API aggregation: the resources of aggregated API servers, for controllers.
import type {
  AggregatedApis,
  AggregatedDiscovery,
  AggregatedRequest,
  AggregatedTarget,
} from '../controllers/runtime/aggregated-apis.ts';
import { serverResponseError } from '../errors/server-response.ts';
import type { ApiServices, RegisteredService } from './api-services.ts';
import { apiServiceName } from './priorities.ts';
import { getRemote } from './remote-get.ts';
import type { RemoteParts } from './remote-request.ts';
import { RemoteResourceClient } from './remote-resource-client.ts';

export class RemoteResources implements AggregatedApis {
  readonly #services: ApiServices;
  readonly #parts: RemoteParts;

  constructor(services: ApiServices, parts: RemoteParts) {
    this.#services = services;
    this.#parts = parts;
  }

  /** Whether an aggregated API server serves this group version. */
  serves(apiVersion: string): boolean {
    if (!this.#services.hasRemote) return false;
    const slash = apiVersion.indexOf('/');
    const [group, version] = [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
    return this.#services.find(apiServiceName({ group, version }))?.remote !== undefined;
  }

  async get(target: AggregatedTarget, request: AggregatedRequest): Promise<unknown> {
    const service = this.#services.find(apiServiceName(target));
    if (!service?.remote) throw serverResponseError(404, 'get', target);
    if (!service.isAvailable) throw serverResponseError(503, 'get', target);
    return getRemote(this.#parts, service.remote, target, request);
  }

  /** `undiscovered`: the group versions whose resources are unknown, because their server is unavailable. */
  namespacedResources(): AggregatedDiscovery {
    if (!this.#services.hasRemote) return noResources;
    const resources = new Map<string, RemoteResourceClient>();
    const undiscovered: string[] = [];
    for (const { group, version, isAvailable, remote } of byPreference(this.#services.all)) {
      if (!remote) continue;
      if (!isAvailable || remote.isStale || !remote.content) {
        undiscovered.push(`${group}/${version}`);
        continue;
      }
      for (const { resource, scope, verbs } of remote.content.resources) {
        const key = `${group}/${resource}`;
        if (scope !== 'Namespaced' || !verbs.includes('delete') || resources.has(key)) continue;
        resources.set(
          key,
          new RemoteResourceClient(this.#parts, remote, { group, version, resource, verbs }),
        );
      }
    }
    return { resources: [...resources.values()], undiscovered: undiscovered.sort() };
  }
}

const noResources: AggregatedDiscovery = { resources: [], undiscovered: [] };

/** Higher version priorities first: the first version with a resource is the one that controllers use. */
const byPreference = (services: readonly RegisteredService[]) =>
  services.toSorted((a, b) => b.priority.version - a.priority.version);
