// Pipeline stage validate: metadata, required fields and the rules of the kind's strategy. All errors go into one 422.
// A valid object then passes the permission checks that depend on it: create on update, and the kind's guard.
import { badRequest, invalidObject } from '../../errors/catalogue.ts';
import type { FieldError } from '../../errors/field-error.ts';
import { validateMetadataForCreate, validateMetadataForUpdate } from '../../kind/meta/validation.ts';
import { addWarnings } from './add-warnings.ts';
import type { WriteContext } from './context.ts';
import { authorizeCreateOnUpdate, runGuard } from './guard.ts';
import { absencesToReport } from './missing-fields.ts';

export function validate(context: WriteContext): void | Promise<void> {
  if (context.isNew) validateCreate(context);
  else validateUpdate(context);
  if (context.isCreateOnUpdate || guardOf(context)) return authorize(context);
}

function validateCreate(context: WriteContext): void {
  const { api, target, object, absences, warnings } = context;
  const { definition, stored } = target.resource;
  const { strategy } = definition;
  assertValid(stored.kindSubject, object.metadata.name ?? '', () => [
    ...validateMetadataForCreate(object.metadata, definition),
    ...(absences.length > 0 ? absencesToReport(api, target, absences, object) : []),
    ...(strategy.validate?.(object) ?? []),
  ]);
  const warned = strategy.warningsOnCreate?.(object);
  if (warned) addWarnings(warnings, warned);
}

function validateUpdate(context: WriteContext): void {
  const { api, target, object, absences, warnings } = context;
  const old = context.old!;
  const strategy = target.resource.updateStrategy(target.subresource);
  assertValid(target.resource.stored.kindSubject, object.metadata.name ?? target.name, () => [
    ...validateMetadataForUpdate(object.metadata, old.metadata),
    ...(absences.length > 0 ? absencesToReport(api, target, absences, object, old) : []),
    ...(strategy.validateUpdate?.(object, old) ?? []),
  ]);
  addWarnings(warnings, strategy.warningsOnUpdate?.(object, old) ?? []);
}

const guardOf = ({ target }: WriteContext) => target.resource.updateStrategy(target.subresource).guard;

async function authorize(context: WriteContext): Promise<void> {
  await authorizeCreateOnUpdate(context);
  const guard = guardOf(context);
  if (guard) await runGuard(guard, 'afterValidation', context, context.object, context.old);
}

/** Throws the 422 with all errors that `validateObject` returns. */
export function assertValid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  validateObject: () => readonly FieldError[],
): void {
  const errors = collectErrors(validateObject);
  if (errors.length > 0) throw invalidObject(kind, name, errors);
}

function collectErrors(validateObject: () => readonly FieldError[]): readonly FieldError[] {
  try {
    return validateObject();
  } catch (error) {
    // Spreading hundreds of thousands of errors into `push` overflows the stack.
    if (error instanceof RangeError)
      throw badRequest('there is more wrong with the object than can be listed');
    throw error;
  }
}
