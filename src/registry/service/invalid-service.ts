import type { Service } from '../../apis/core/service.ts';
import { invalidObject } from '../../errors/catalogue.ts';
import type { FieldError } from '../../errors/field-error.ts';
import type { ApiError } from '../../errors/status.ts';

/** What a service asks for cannot be had. */
export function invalidService({ metadata }: Service, errors: readonly FieldError[]): ApiError {
  return invalidObject({ group: '', kind: 'Service' }, metadata.name ?? '', errors);
}
