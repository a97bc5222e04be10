import { type FieldError, invalid } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import type { Subresource } from '../../kind/definition.ts';
import { resetObjectMetaForStatus } from '../../kind/meta/reset-object-meta.ts';
import { validateMetadata, validateMetadataChange } from '../../kind/meta/validation.ts';
import { plainStrategy, statusOf } from '../../kind/plain-strategy.ts';
import type { Strategy } from '../../kind/strategy.ts';
import type { Struct } from '../../schema/struct.ts';
import { AdminAccess } from './admin-access.ts';
import { type AnyClaim, dropFromClaim, dropFromStatus } from './claim-features.ts';
import { validateClaimStatus } from './claim-status-validation.ts';
import { selectorsOf, validateClaim } from './claim-validation.ts';
import { ResourceClaimSpecV1beta2 } from './resource-claim-spec-v1beta2.ts';
import type { ResourceClaimStatus } from './resource-claim-status.ts';
import { SelectorRules } from './selector-rules.ts';

/** A claim in any version. */
type AnyResourceClaim = ApiObject & { readonly spec: AnyClaim; status: ResourceClaimStatus };

/** How claims of one version are written; `read` shows what one claims as the rules look at it. */
export function claimStrategy<T extends AnyResourceClaim>(
  context: KindContext,
  schema: Struct<T>,
  read: (object: T) => ResourceClaimSpecV1beta2,
): { readonly strategy: Strategy<T>; readonly status: Subresource<T> } {
  const { features, dialect } = context;
  const plain = plainStrategy(context, schema);
  const admin = new AdminAccess(dialect);
  const selectors = new SelectorRules(dialect);
  const validateDevices = (object: T) =>
    validateClaim(object, read(object).devices, 'spec.devices', selectors);
  const text = (object: T) => ResourceClaimSpecV1beta2.write(read(object));
  return {
    strategy: {
      ...plain,
      deleteReturnsObject: true,
      reserve: (context, object) => admin.lookUp(context, object),
      prepareForCreate(object, now) {
        plain.prepareForCreate(object, now);
        delete object.metadata.generation;
        dropFromClaim(object.spec, undefined, features);
      },
      prepareForUpdate(object, old) {
        (object as AnyResourceClaim).status = old.status;
        dropFromClaim(object.spec, old.spec, features);
      },
      load: (object, old) =>
        selectors.load(object, selectorsOf(read(object).devices), old && selectorsOf(read(old).devices)),
      validate: (object) => [
        ...plain.validate(object),
        ...admin.validate(object, object.spec),
        ...validateDevices(object),
      ],
      // The reference looks at it as if it were new, and then again at what may change.
      validateUpdate(object, old) {
        const claimed = validateDevices(object);
        return [
          ...validateMetadata(object.metadata, true, plain.validateName),
          ...plain.validate(object),
          ...claimed,
          ...plain.validateUpdate(object, old),
          ...(text(object) === text(old) ? [] : [specIsFixed(read(object))]),
          ...claimed,
        ];
      },
    },
    status: {
      ...statusOf(context, schema),
      rules: {
        untracked: ['spec'],
        prepareForUpdate(object, old) {
          (object as ApiObject).spec = old.spec;
          resetObjectMetaForStatus(object.metadata, old.metadata);
          dropFromStatus(object.status, old.status, features);
        },
        validateUpdate: (object, old) => [
          ...validateMetadataChange(object.metadata, old.metadata),
          ...refuseUnaskedAdminAccess(object, admin),
          ...validateClaimStatus(object.status, old.status, read(object).devices),
        ],
      },
    },
  };
}

function specIsFixed(spec: ResourceClaimSpecV1beta2): FieldError {
  return invalid('spec', goSyntaxOfType(ResourceClaimSpecV1beta2, spec), 'field is immutable');
}

/** Whether the namespace was labelled for it was looked at when the request was made: a result follows its request. */
function refuseUnaskedAdminAccess({ spec, status }: AnyResourceClaim, admin: AdminAccess): FieldError[] {
  const asks = (spec.devices.requests ?? []).some((request) => (request.exactly ?? request).adminAccess);
  if (asks) return [];
  return (status.allocation?.devices.results ?? []).flatMap(({ adminAccess }, i) =>
    adminAccess ? [admin.refusal(`status.allocation.devices.results[${i}].adminAccess`)] : [],
  );
}
