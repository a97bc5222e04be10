// An object that follows the server.
import { signal } from '@preact/signals';
import { collectionPath, type Kind, objectPath } from '../api/discovery.ts';
import type { ApiObject } from '../api/objects.ts';
import { RequestError, type Session } from '../api/session.ts';
import type { WatchEvent, WatchStream } from '../api/watch-stream.ts';

export class LiveObject {
  readonly object = signal<ApiObject | undefined>(undefined);
  readonly error = signal<RequestError | undefined>(undefined);
  /** The object was deleted while it was shown. */
  readonly isDeleted = signal(false);
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly #session: Session;
  #revision = '';
  #unsubscribe = () => {};
  #isClosed = false;
  #mustRead = false;

  constructor(session: Session, stream: WatchStream, kind: Kind, namespace: string, name: string) {
    this.#session = session;
    this.kind = kind;
    this.namespace = namespace;
    this.name = name;
    void this.#run(stream);
  }

  get path(): string {
    return objectPath(this.kind, this.namespace, this.name);
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
  }

  async #run(stream: WatchStream): Promise<void> {
    try {
      const object = await this.#session.json<ApiObject>(this.path);
      this.#show(object);
      this.isDeleted.value = false;
      this.error.value = undefined;
    } catch (error) {
      this.error.value =
        error instanceof RequestError ? error : new RequestError(0, { message: String(error) });
      return;
    }
    if (this.#isClosed || !this.kind.verbs.includes('watch')) return;
    this.#unsubscribe = stream.subscribe<ApiObject>({
      path: () => {
        const query = new URLSearchParams({
          watch: 'true',
          allowWatchBookmarks: 'true',
          fieldSelector: `metadata.name=${this.name}`,
          resourceVersion: this.#revision,
        });
        return `${collectionPath(this.kind, this.namespace)}?${query}`;
      },
      accept: 'application/json',
      onEvents: (events) => {
        for (const event of events) this.#apply(event);
      },
      onEnd: (code) => {
        if (this.#isClosed) return false;
        if (code === 410 || this.#mustRead) {
          this.#mustRead = false;
          void this.#run(stream);
          return false;
        }
        return code === 200 || code >= 500 || code === 429;
      },
    });
  }

  #apply({ type, object }: WatchEvent<ApiObject>): void {
    if (type === 'ERROR') {
      this.#mustRead = true;
      return;
    }
    this.#revision = object.metadata.resourceVersion;
    if (type === 'BOOKMARK') return;
    this.isDeleted.value = type === 'DELETED';
    this.#show(object);
  }

  /** Objects of a list or watch may leave out their kind. */
  #show(object: ApiObject): void {
    this.#revision = object.metadata.resourceVersion;
    this.object.value = object;
  }
}
