import { type FieldError, forbidden, invalid } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import type { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { validateAnnotations, validateLabels, validateMetadata } from '../../kind/meta/validation.ts';
import { isSameSpec, plainStrategy } from '../../kind/plain-strategy.ts';
import type { Strategy } from '../../kind/strategy.ts';
import type { Struct } from '../../schema/struct.ts';
import { AdminAccess } from './admin-access.ts';
import { type AnyClaim, dropFromClaim } from './claim-features.ts';
import { selectorsOf, validateClaim } from './claim-validation.ts';
import {
  type ResourceClaimSpecV1beta2,
  ResourceClaimTemplateSpecV1beta2,
} from './resource-claim-spec-v1beta2.ts';
import { SelectorRules } from './selector-rules.ts';

/** A template in any version. */
type AnyTemplate = ApiObject & { readonly spec: { readonly metadata: ObjectMeta; readonly spec: AnyClaim } };

/** How templates of one version are written; `read` shows what one claims as the rules look at it. */
export function claimTemplateStrategy<T extends AnyTemplate>(
  context: KindContext,
  schema: Struct<T>,
  read: (object: T) => ResourceClaimSpecV1beta2,
): Strategy<T> {
  const { features, dialect } = context;
  const plain = plainStrategy(context, schema);
  const admin = new AdminAccess(dialect);
  const selectors = new SelectorRules(dialect);
  const validateTemplate = (object: T) => [
    ...validateTemplateMetadata(object.spec.metadata),
    ...validateClaim(object, read(object).devices, 'spec.spec.devices', selectors),
  ];
  const specIsFixed = (object: T) => {
    const spec = { metadata: object.spec.metadata, spec: read(object) };
    return invalid('spec', goSyntaxOfType(ResourceClaimTemplateSpecV1beta2, spec), 'field is immutable');
  };
  return {
    ...plain,
    deleteReturnsObject: true,
    reserve: (context, object) => admin.lookUp(context, object),
    prepareForCreate: ({ spec }) => dropFromClaim(spec.spec, undefined, features),
    prepareForUpdate: ({ spec }, old) => dropFromClaim(spec.spec, old.spec.spec, features),
    load: (object, old) =>
      selectors.load(object, selectorsOf(read(object).devices), old && selectorsOf(read(old).devices)),
    validate: (object) => [
      ...plain.validate(object),
      ...admin.validate(object, object.spec.spec),
      ...validateTemplate(object),
    ],
    // The reference looks at it as if it were new, and then again at what may change.
    validateUpdate(object, old) {
      const template = validateTemplate(object);
      return [
        ...validateMetadata(object.metadata, true, plain.validateName),
        ...plain.validate(object),
        ...template,
        ...plain.validateUpdate(object, old),
        ...(isSameSpec(schema, object, old) ? [] : [specIsFixed(object)]),
        ...template,
      ];
    },
  };
}

const lentToClaims = new Set(['labels', 'annotations']);

/** Claims are given labels and annotations; everything else in their metadata they have of their own. */
function validateTemplateMetadata(meta: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  validateAnnotations(meta.annotations ?? {}, 'spec.metadata.annotations', errors);
  validateLabels(meta.labels ?? {}, 'spec.metadata.labels', errors);
  const isSet = (value: unknown) => value !== undefined && value !== '' && value !== 0;
  for (const [field, value] of Object.entries(meta)) {
    if (isSet(value) && !lentToClaims.has(field)) {
      errors.push(forbidden(`spec.metadata.${field}`, 'cannot be set'));
    }
  }
  return errors;
}
