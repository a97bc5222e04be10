// The 422 Invalid for a Service whose allocation fails.
import type { Service } from '../../apis/core/service.ts';
import { invalidObject } from '../../errors/catalogue.ts';
import type { FieldError } from '../../errors/field-error.ts';
import type { ApiError } from '../../errors/status.ts';

export function invalidService({ metadata }: Service, errors: readonly FieldError[]): ApiError {
  return invalidObject({ group: '', kind: 'Service' }, metadata.name ?? '', errors);
}
