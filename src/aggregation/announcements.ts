// API aggregation: the group versions of all APIServices, for discovery and OpenAPI.
import type { ApiServices } from './api-services.ts';
import type { ApiServicePriority } from './priorities.ts';
import type { RemoteResource } from './remote-discovery.ts';
import type { RemoteDescription } from './remote-openapi.ts';
import type { RemoteContent, RemoteServer } from './remote-server.ts';

export interface AnnouncedVersion {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly priority: ApiServicePriority;
  /** The resources of another server; undefined for this server's own. */
  readonly remote: RemoteVersion | undefined;
}

export interface RemoteVersion {
  readonly resources: readonly RemoteResource[];
  /** The last discovery attempt failed. */
  readonly isStale: boolean;
}

export class Announcements {
  readonly #services: ApiServices;
  #of: ApiServices['all'] | undefined;
  #all: readonly AnnouncedVersion[] = [];
  #descriptions: readonly RemoteDescription[] = [];

  constructor(services: ApiServices) {
    this.#services = services;
  }

  /** A new array after every change. */
  get all(): readonly AnnouncedVersion[] {
    this.#refresh();
    return this.#all;
  }

  /** OpenAPI of the aggregated versions; a new array after every change. */
  get descriptions(): readonly RemoteDescription[] {
    this.#refresh();
    return this.#descriptions;
  }

  /** Stores the result of a discovery attempt. `undefined`: it failed, and the last content becomes stale. */
  setDiscovered(remote: RemoteServer, content: RemoteContent | undefined): void {
    const before = remote.content;
    const after = content ?? before;
    const isStale = content === undefined;
    const isSame =
      before?.description === after?.description &&
      JSON.stringify(before?.resources) === JSON.stringify(after?.resources);
    if (remote.isStale === isStale && isSame) return;
    remote.content = after;
    remote.isStale = isStale;
    this.#of = undefined;
  }

  #refresh(): void {
    if (this.#of === this.#services.all) return;
    this.#of = this.#services.all;
    this.#all = this.#of.map(({ name, group, version, priority, remote }) => ({
      name,
      group,
      version,
      priority,
      remote: remote && { resources: remote.content?.resources ?? [], isStale: remote.isStale },
    }));
    const described = this.#of.flatMap(({ remote }) => remote?.content?.description ?? []);
    const isSame =
      described.length === this.#descriptions.length &&
      described.every((one, index) => one === this.#descriptions[index]);
    if (!isSame) this.#descriptions = described;
  }
}
