import type { ApiServices, KnownService } from './api-services.ts';
import { nameOf } from './priorities.ts';
import { RemoteObjects } from './remote-objects.ts';
import type { RemoteParts } from './remote-request.ts';

/** What is known of the kinds that other servers keep. */
export interface KnownElsewhere {
  /** Those whose objects are in namespaces and can be deleted, each in one version. */
  readonly kinds: readonly RemoteObjects[];
  /** The group versions of which nobody can say now what they have. */
  readonly unknown: readonly string[];
}

/** The kinds whose objects other servers keep, for controllers: they act on these by requests. */
export class RemoteKinds {
  readonly #services: ApiServices;
  readonly #parts: RemoteParts;

  constructor(services: ApiServices, parts: RemoteParts) {
    this.#services = services;
    this.#parts = parts;
  }

  /** Whether the objects of an `apiVersion` are another server's to keep. */
  serves(apiVersion: string): boolean {
    if (!this.#services.hasRemote) return false;
    const slash = apiVersion.indexOf('/');
    const [group, version] = [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
    return this.#services.find(nameOf({ group, version }))?.remote !== undefined;
  }

  namespaced(): KnownElsewhere {
    if (!this.#services.hasRemote) return nothing;
    const kinds = new Map<string, RemoteObjects>();
    const unknown: string[] = [];
    for (const { group, version, isAvailable, remote } of byPreference(this.#services.all)) {
      if (!remote) continue;
      if (!isAvailable || remote.isStale || !remote.content) {
        unknown.push(`${group}/${version}`);
        continue;
      }
      for (const { resource, scope, verbs } of remote.content.resources) {
        const key = `${group}/${resource}`;
        if (scope !== 'Namespaced' || !verbs.includes('delete') || kinds.has(key)) continue;
        kinds.set(key, new RemoteObjects(this.#parts, remote, { group, version, resource, verbs }));
      }
    }
    return { kinds: [...kinds.values()], unknown: unknown.sort() };
  }
}

const nothing: KnownElsewhere = { kinds: [], unknown: [] };

const byPreference = (services: readonly KnownService[]) =>
  services.toSorted((one, other) => other.priority.version - one.priority.version);
