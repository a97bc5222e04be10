// The hook that records audit events for writes without an HTTP request, which the audit filter does not see.
import type { ApiObject } from '../kind/api-object.ts';
import type { StoredObject } from '../store/store.ts';
import type { Target } from './target.ts';

/** A write, with the verb that its request would have. */
export interface AuditedWrite {
  readonly verb: 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
  readonly target: Target;
}

export interface AuditHook {
  /**
   * Runs a write and records it. The write passes its request object to `onDecoded`; `responseObject` finds the
   * response object in the write's result.
   */
  record<T>(
    write: AuditedWrite,
    run: (onDecoded: (object: ApiObject) => void) => Promise<T>,
    responseObject: (result: T) => StoredObject | undefined,
  ): Promise<T>;
}

/** The dependencies without the hook, for writes that are part of a recorded one. */
export const withoutAuditHook = <T extends { readonly auditHook?: AuditHook | undefined }>(
  context: T,
): T => ({
  ...context,
  auditHook: undefined,
});
