// Stored objects that cannot be decoded.

import {
  type CorruptObject,
  corruptObject,
  maxReportedCorruptObjects,
  storageReadError,
} from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { Revision, Store } from '../../store/store.ts';
import type { ServedResource } from '../registry.ts';

/** The kind's schema cannot decode the stored bytes. `problem` is `why` with the revision of the object. */
export class Unreadable extends ApiError implements CorruptObject {
  readonly key: string;
  readonly decodingProblem: string;
  /** `decodingProblem` with the revision, as the error lists it. */
  readonly problem: string;

  constructor(key: string, revision: Revision, decodingProblem: string) {
    const problem = notDecodable(revision, decodingProblem);
    const { code, reason, message, details } = corruptObject({ key, problem });
    super(code, reason, message, details);
    this.key = key;
    this.decodingProblem = decodingProblem;
    this.problem = problem;
  }
}

/** Upstream answers a write of an undecodable object with the bare reason. */
export function withBareReason(error: unknown): unknown {
  return error instanceof Unreadable ? new ApiError(500, '', error.problem) : error;
}

const notDecodable = (revision: Revision, decodingProblem: string) =>
  `object not decodable revision=${revision}: ${decodingProblem}`;

/** Reads many objects and collects those that cannot be decoded, instead of failing at the first. */
export class TolerantReader {
  readonly #store: Pick<Store, 'get'>;
  readonly #unreadable: CorruptObject[] = [];

  constructor(store: Pick<Store, 'get'>) {
    this.#store = store;
  }

  get hasFailed(): boolean {
    return this.#unreadable.length > 0;
  }

  /** More objects failed than the error lists, so reading more of them adds nothing. */
  get hasTooManyFailures(): boolean {
    return this.#unreadable.length > maxReportedCorruptObjects;
  }

  /** The result of `read`, or undefined where an object cannot be decoded. */
  try<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const { key, decodingProblem } = error;
      // Items of lists carry no revision.
      this.#unreadable.push({
        key,
        problem: notDecodable(this.#store.get(key)?.revision ?? 0, decodingProblem),
      });
      return undefined;
    }
  }

  /** Throws if an object could not be decoded. */
  throwIfFailed({ subject }: ServedResource): void {
    if (this.hasFailed) throw storageReadError(subject, this.#unreadable);
  }
}
