// Role, ClusterRole and their bindings: validation of updates.

import type { Dialect } from '../../dialect/dialect.ts';
import type { FieldError } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { nameIsPathSegment } from '../../schema/names.ts';

/**
 * Builds the update validation of a kind from its create validation. kube-apiserver runs the create validation twice on
 * update, so its errors occur twice.
 */
export function updateValidation<T extends ApiObject>(
  validate: (object: T) => FieldError[],
  { namespaced }: { readonly namespaced: boolean },
  dialect: Dialect,
): (object: T, old: T) => FieldError[] {
  return (object, old) => {
    const createErrors = [
      ...validateMetadata(object.metadata, { namespaced, nameRule: nameIsPathSegment }),
      ...validate(object),
    ];
    return [
      ...createErrors,
      ...createErrors,
      ...validateMetadataChange(object.metadata, old.metadata),
      ...validateFinalizersQualified(object.metadata, dialect),
    ];
  };
}
