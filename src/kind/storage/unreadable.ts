// Stored objects that cannot be decoded: the error of one object, and of a list that contains such objects.

import {
  type CorruptObject,
  corruptObject,
  maxReportedCorruptObjects,
  storageReadError,
} from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { Revision, Store } from '../../store/store.ts';
import type { ServedResource } from '../registry.ts';

/** The error of a stored object whose bytes the schema of its kind cannot decode, or a webhook cannot convert. */
export class Unreadable extends ApiError implements CorruptObject {
  readonly key: string;
  /** Why it cannot be decoded. */
  readonly decodingProblem: string;
  /** `decodingProblem` with the revision, as the error lists it. */
  readonly problem: string;

  constructor(key: string, revision: Revision, decodingProblem: string) {
    const problem = notDecodableMessage(revision, decodingProblem);
    const { code, reason, message, details } = corruptObject({ key, problem });
    super(code, reason, message, details);
    this.key = key;
    this.decodingProblem = decodingProblem;
    this.problem = problem;
  }
}

/**
 * The error of a write whose result cannot be decoded: as upstream, only the problem, without "corrupt object" and key.
 * Returns other errors unchanged.
 */
export function withBareReason(error: unknown): unknown {
  return error instanceof Unreadable ? new ApiError(500, '', error.problem) : error;
}

/**
 * Reads the objects of a list. An object that cannot be decoded does not stop it: the error at the end (`throwIfFailed`)
 * names all such objects, up to a limit.
 */
export class TolerantReader {
  readonly #store: Pick<Store, 'get'>;
  readonly #unreadable: CorruptObject[] = [];

  constructor(store: Pick<Store, 'get'>) {
    this.#store = store;
  }

  /** Whether some object could not be decoded. */
  get hasFailed(): boolean {
    return this.#unreadable.length > 0;
  }

  /** More objects failed than the error lists, so reading more of them adds nothing. */
  get hasTooManyFailures(): boolean {
    return this.#unreadable.length > maxReportedCorruptObjects;
  }

  /** The result of `read`, or undefined if the object cannot be decoded. */
  try<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const { key, decodingProblem } = error;
      // Items of lists carry no revision: the store has it.
      const revision = this.#store.get(key)?.revision ?? 0;
      this.#unreadable.push({ key, problem: notDecodableMessage(revision, decodingProblem) });
      return undefined;
    }
  }

  /** Throws StorageReadError if an object could not be decoded. */
  throwIfFailed({ subject }: ServedResource): void {
    if (this.hasFailed) throw storageReadError(subject, this.#unreadable);
  }
}

const notDecodableMessage = (revision: Revision, decodingProblem: string) =>
  `object not decodable revision=${revision}: ${decodingProblem}`;
