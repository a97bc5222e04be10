import type { ApiObject } from '../kind/api-object.ts';
import type { StoredObject } from '../store/store.ts';
import type { Api, Target } from './api.ts';

/** What is done without a request: verbs and codes are those that it would have had. */
export interface Deed {
  readonly verb: 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
  readonly target: Target;
}

/** Hears of what is written in the process itself, for those who keep a record of it. */
export interface AuditHook {
  /** Has something done: `brings` is told the object that it is done with, `shown` says what came of it. */
  see<T>(deed: Deed, act: (brings: (object: ApiObject) => void) => Promise<T>, shown: Shown<T>): Promise<T>;
}

type Shown<T> = (done: T) => StoredObject | undefined;

/** The same for what is part of a deed: that is one, and not several. */
export const unseen = (api: Api): Api => ({ ...api, witness: undefined });
