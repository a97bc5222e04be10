// API aggregation: the group versions that APIServices register, with the discovery and OpenAPI of aggregated ones. The
// endpoints of discovery and OpenAPI read them.
import type { ApiServices } from './api-services.ts';
import type { ApiServicePriority } from './priorities.ts';
import type { RemoteResource } from './remote-discovery.ts';
import type { RemoteOpenApi } from './remote-openapi.ts';
import type { RemoteContent, RemoteServer } from './remote-server.ts';

export interface RegisteredVersion {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly priority: ApiServicePriority;
  /** The resources of an aggregated API server; undefined if this server serves the version. */
  readonly remote: RemoteVersion | undefined;
}

export interface RemoteVersion {
  readonly resources: readonly RemoteResource[];
  /** The last discovery attempt failed. */
  readonly isStale: boolean;
}

export class RegisteredVersions {
  readonly #services: ApiServices;
  /** The APIServices that `#all` and `#openApi` were built from; undefined if they have to be rebuilt. */
  #derivedFrom: ApiServices['all'] | undefined;
  #all: readonly RegisteredVersion[] = [];
  #openApi: readonly RemoteOpenApi[] = [];

  constructor(services: ApiServices) {
    this.#services = services;
  }

  /** A new array after every change, so that callers can compare it to detect changes. */
  get all(): readonly RegisteredVersion[] {
    this.#refresh();
    return this.#all;
  }

  /** OpenAPI of the aggregated versions; a new array after every change. */
  get openApi(): readonly RemoteOpenApi[] {
    this.#refresh();
    return this.#openApi;
  }

  /** Stores the result of a discovery attempt. After a failed one (`undefined`) the last content becomes stale. */
  setDiscovered(remote: RemoteServer, content: RemoteContent | undefined): void {
    const previous = remote.content;
    const current = content ?? previous;
    const isStale = content === undefined;
    const isSameContent =
      previous?.openApi === current?.openApi &&
      JSON.stringify(previous?.resources) === JSON.stringify(current?.resources);
    if (remote.isStale === isStale && isSameContent) return;
    remote.content = current;
    remote.isStale = isStale;
    this.#derivedFrom = undefined;
  }

  #refresh(): void {
    if (this.#derivedFrom === this.#services.all) return;
    this.#derivedFrom = this.#services.all;
    this.#all = this.#derivedFrom.map(({ name, group, version, priority, remote }) => ({
      name,
      group,
      version,
      priority,
      remote: remote && { resources: remote.content?.resources ?? [], isStale: remote.isStale },
    }));
    const openApi = this.#derivedFrom.flatMap(({ remote }) => remote?.content?.openApi ?? []);
    const isUnchanged =
      openApi.length === this.#openApi.length &&
      openApi.every((document, index) => document === this.#openApi[index]);
    if (!isUnchanged) this.#openApi = openApi;
  }
}
