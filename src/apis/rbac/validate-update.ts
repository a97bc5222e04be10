import type { Dialect } from '../../dialect/dialect.ts';
import type { FieldError } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { nameIsPathSegment } from '../../schema/names.ts';

/** The reference looks at what is changed as if it were new, and does so twice. */
export function validateUpdateOf<T extends ApiObject>(
  validate: (object: T) => FieldError[],
  namespaced: boolean,
  dialect: Dialect,
): (object: T, old: T) => FieldError[] {
  return (object, old) => {
    const asNew = [...validateMetadata(object.metadata, namespaced, nameIsPathSegment), ...validate(object)];
    return [
      ...asNew,
      ...asNew,
      ...validateMetadataChange(object.metadata, old.metadata),
      ...validateFinalizersQualified(object.metadata, dialect),
    ];
  };
}
