// ResourceClaimTemplate (DRA): the strategy that runs on creates and updates, in any version.

import { type FieldError, forbidden, invalid } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import type { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { validateAnnotations, validateLabels, validateMetadata } from '../../kind/meta/validation.ts';
import { isSameSpec, plainStrategy } from '../../kind/plain-strategy.ts';
import type { Strategy } from '../../kind/strategy.ts';
import type { Struct } from '../../schema/struct.ts';
import { AdminAccessCheck } from './admin-access.ts';
import { type AnyClaim, dropDisabledClaimFields } from './claim-features.ts';
import { selectorsOf, validateClaim } from './claim-validation.ts';
import {
  type ResourceClaimSpecV1beta2,
  ResourceClaimTemplateSpecV1beta2,
} from './resource-claim-spec-v1beta2.ts';
import { SelectorValidator } from './selector-rules.ts';

/** A ResourceClaimTemplate in any version. */
type AnyTemplate = ApiObject & { readonly spec: { readonly metadata: ObjectMeta; readonly spec: AnyClaim } };

/** The strategy of one version; `toV1beta2` converts the claim spec for validation. */
export function claimTemplateStrategy<T extends AnyTemplate>(
  context: KindContext,
  schema: Struct<T>,
  toV1beta2: (object: T) => ResourceClaimSpecV1beta2,
): Strategy<T> {
  const { features, dialect } = context;
  const baseStrategy = plainStrategy(context, schema);
  const adminAccessCheck = new AdminAccessCheck(dialect);
  const selectors = new SelectorValidator(dialect);
  const validateTemplate = (object: T) => [
    ...validateTemplateMetadata(object.spec.metadata),
    ...validateClaim(object, toV1beta2(object).devices, 'spec.spec.devices', selectors),
  ];
  const immutableSpecError = (object: T) => {
    const spec = { metadata: object.spec.metadata, spec: toV1beta2(object) };
    return invalid('spec', goSyntaxOfType(ResourceClaimTemplateSpecV1beta2, spec), 'field is immutable');
  };
  return {
    ...baseStrategy,
    deleteReturnsObject: true,
    reserve: (context, object) => adminAccessCheck.lookUp(context, object),
    prepareForCreate: ({ spec }) => dropDisabledClaimFields(spec.spec, undefined, features),
    prepareForUpdate: ({ spec }, old) => dropDisabledClaimFields(spec.spec, old.spec.spec, features),
    load: (object, old) =>
      selectors.load(
        object,
        selectorsOf(toV1beta2(object).devices),
        old && selectorsOf(toV1beta2(old).devices),
      ),
    validate: (object) => [
      ...baseStrategy.validate(object),
      ...adminAccessCheck.validate(object, object.spec.spec),
      ...validateTemplate(object),
    ],
    // kube-apiserver runs the create validation and then the update validation; both report errors of the template.
    validateUpdate(object, old) {
      const templateErrors = validateTemplate(object);
      return [
        ...validateMetadata(object.metadata, { namespaced: true, nameRule: baseStrategy.validateName }),
        ...baseStrategy.validate(object),
        ...templateErrors,
        ...baseStrategy.validateUpdate(object, old),
        ...(isSameSpec(schema, object, old) ? [] : [immutableSpecError(object)]),
        ...templateErrors,
      ];
    },
  };
}

const allowedMetadataFields = new Set(['labels', 'annotations']);

/** A template may only set labels and annotations of its claims. */
function validateTemplateMetadata(meta: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  validateAnnotations(meta.annotations ?? {}, 'spec.metadata.annotations', errors);
  validateLabels(meta.labels ?? {}, 'spec.metadata.labels', errors);
  const isSet = (value: unknown) => value !== undefined && value !== '' && value !== 0;
  for (const [field, value] of Object.entries(meta)) {
    if (isSet(value) && !allowedMetadataFields.has(field)) {
      errors.push(forbidden(`spec.metadata.${field}`, 'cannot be set'));
    }
  }
  return errors;
}
