import {
  type CorruptObject,
  corruptObject,
  mostCorruptObjects,
  storageReadError,
} from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { Revision, Store } from '../../store/store.ts';
import type { ServedResource } from '../registry.ts';

/** The stored bytes of an object say nothing that its kind's schema understands. */
export class Unreadable extends ApiError implements CorruptObject {
  readonly key: string;
  readonly why: string;
  readonly problem: string;

  constructor(key: string, revision: Revision, why: string) {
    const problem = notDecodable(revision, why);
    const { code, reason, message, details } = corruptObject({ key, problem });
    super(code, reason, message, details);
    this.key = key;
    this.why = why;
    this.problem = problem;
  }
}

/** What a write is told that finds an object unreadable. */
export function withBareReason(error: unknown): unknown {
  return error instanceof Unreadable ? new ApiError(500, '', error.problem) : error;
}

const notDecodable = (revision: Revision, why: string) => `object not decodable revision=${revision}: ${why}`;

/** Reads many objects and notes which of them cannot be read, instead of failing at the first. */
export class ReadingOfMany {
  readonly #store: Pick<Store, 'get'>;
  readonly #unreadable: CorruptObject[] = [];

  constructor(store: Pick<Store, 'get'>) {
    this.#store = store;
  }

  get hasFailed(): boolean {
    return this.#unreadable.length > 0;
  }

  /** Enough is known for the answer. */
  get isHopeless(): boolean {
    return this.#unreadable.length > mostCorruptObjects;
  }

  /** What `read` returns, or undefined if that finds an object unreadable. */
  try<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const { key, why } = error;
      // Items of lists do not carry their revision.
      this.#unreadable.push({ key, problem: notDecodable(this.#store.get(key)?.revision ?? 0, why) });
      return undefined;
    }
  }

  /** Throws if there was any that could not be read. */
  finish({ subject }: ServedResource): void {
    if (this.hasFailed) throw storageReadError(subject, this.#unreadable);
  }
}
