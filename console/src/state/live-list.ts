// The objects of a kind, whole, kept current by a watch: for views that show more than the columns of a table.
import { signal } from '@preact/signals';
import { collectionPath, type Kind } from '../api/discovery.ts';
import type { ApiObject } from '../api/objects.ts';
import { RequestError, type Session } from '../api/session.ts';
import type { WatchStream } from '../api/watch-stream.ts';

export class LiveList {
  /** Counts the changes. */
  readonly version = signal(0);
  readonly objects = new Map<string, ApiObject>();
  isLoading = true;
  error: RequestError | undefined;
  readonly #session: Session;
  readonly #path: string;
  #revision = '';
  #mustList = false;
  #isClosed = false;
  #frame = 0;
  #unsubscribe = () => {};

  constructor(session: Session, stream: WatchStream, kind: Kind) {
    this.#session = session;
    this.#path = collectionPath(kind);
    void this.#run(stream);
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    cancelAnimationFrame(this.#frame);
  }

  async #run(stream: WatchStream): Promise<void> {
    try {
      const list = await this.#session.json<{
        metadata: { resourceVersion: string };
        items: ApiObject[] | null;
      }>(this.#path);
      this.objects.clear();
      for (const object of list.items ?? []) this.objects.set(object.metadata.uid, object);
      this.#revision = list.metadata.resourceVersion;
      this.error = undefined;
    } catch (error) {
      this.error = error instanceof RequestError ? error : new RequestError(0, { message: String(error) });
    }
    this.isLoading = false;
    this.version.value++;
    if (this.#isClosed || this.error) return;
    this.#unsubscribe = stream.subscribe<ApiObject>({
      path: () => `${this.#path}?watch=true&allowWatchBookmarks=true&resourceVersion=${this.#revision}`,
      accept: 'application/json',
      onEvents: (events) => {
        for (const { type, object } of events) {
          if (type === 'ERROR') this.#mustList = true;
          else this.#apply(type, object);
        }
        this.#frame ||= requestAnimationFrame(() => {
          this.#frame = 0;
          this.version.value++;
        });
      },
      onEnd: (code) => {
        if (this.#isClosed) return false;
        if (code === 410 || this.#mustList) {
          this.#mustList = false;
          void this.#run(stream);
          return false;
        }
        return code === 200 || code >= 500 || code === 429;
      },
    });
  }

  #apply(type: string, object: ApiObject): void {
    this.#revision = object.metadata.resourceVersion;
    if (type === 'DELETED') this.objects.delete(object.metadata.uid);
    else if (type !== 'BOOKMARK') this.objects.set(object.metadata.uid, object);
  }
}
