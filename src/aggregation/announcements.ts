import type { ApiServices } from './api-services.ts';
import type { Priority } from './priorities.ts';
import type { RemoteResource } from './remote-discovery.ts';
import type { RemoteDescription } from './remote-openapi.ts';
import type { RemoteContent, RemoteServer } from './remote-server.ts';

/** A group version as its APIService has it announced. */
export interface Announced {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly priority: Priority;
  /** What another server serves there; undefined where it is this server's own. */
  readonly remote: RemoteVersion | undefined;
}

export interface RemoteVersion {
  readonly resources: readonly RemoteResource[];
  /** The server has not confirmed it of late. */
  readonly isStale: boolean;
}

/** What APIServices announce, and what the servers behind them were found to serve. */
export class Announcements {
  readonly #services: ApiServices;
  #of: ApiServices['all'] | undefined;
  #all: readonly Announced[] = [];
  #descriptions: readonly RemoteDescription[] = [];

  constructor(services: ApiServices) {
    this.#services = services;
  }

  /** Another list whenever something in it has changed. */
  get all(): readonly Announced[] {
    this.#refresh();
    return this.#all;
  }

  /** How other servers describe what they serve; another list whenever something in it has changed. */
  get descriptions(): readonly RemoteDescription[] {
    this.#refresh();
    return this.#descriptions;
  }

  /** A server has said anew what it serves; nothing: it does not say so any more, but may still serve it. */
  found(remote: RemoteServer, content: RemoteContent | undefined): void {
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
