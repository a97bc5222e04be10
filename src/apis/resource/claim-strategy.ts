// ResourceClaim (DRA): the strategies that run on writes of a claim and of its status, in any version.

import { type FieldError, invalid } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import type { Subresource } from '../../kind/definition.ts';
import { resetObjectMetaForStatus } from '../../kind/meta/reset-object-meta.ts';
import { validateMetadata, validateMetadataChange } from '../../kind/meta/validation.ts';
import { plainStrategy } from '../../kind/plain-strategy.ts';
import type { Strategy } from '../../kind/strategy.ts';
import type { Struct } from '../../schema/struct.ts';
import { AdminAccessCheck } from './admin-access.ts';
import { type AnyClaim, dropDisabledClaimFields, dropDisabledClaimStatusFields } from './claim-features.ts';
import { validateClaimStatus } from './claim-status-validation.ts';
import { selectorsOf, validateClaim } from './claim-validation.ts';
import { ResourceClaimSpecV1beta2 } from './resource-claim-spec-v1beta2.ts';
import type { ResourceClaimStatus } from './resource-claim-status.ts';
import { SelectorValidator } from './selector-rules.ts';

/** A ResourceClaim in any version. */
type AnyResourceClaim = ApiObject & { readonly spec: AnyClaim; status: ResourceClaimStatus };

/** The strategies of one version; `toV1beta2` converts its spec for validation. */
export function claimStrategy<T extends AnyResourceClaim>(
  context: KindContext,
  schema: Struct<T>,
  toV1beta2: (object: T) => ResourceClaimSpecV1beta2,
): { readonly strategy: Strategy<T>; readonly status: Subresource<T> } {
  const { features, dialect } = context;
  const baseStrategy = plainStrategy(context, schema);
  const adminAccessCheck = new AdminAccessCheck(dialect);
  const selectors = new SelectorValidator(dialect);
  const validateDevices = (object: T) =>
    validateClaim(object, toV1beta2(object).devices, 'spec.devices', selectors);
  const encodeSpec = (object: T) => ResourceClaimSpecV1beta2.write(toV1beta2(object));
  return {
    strategy: {
      ...baseStrategy,
      deleteReturnsObject: true,
      reserve: (context, object) => adminAccessCheck.lookUp(context, object),
      prepareForCreate(object, now) {
        const { generation } = object.metadata;
        baseStrategy.prepareForCreate(object, now);
        // ResourceClaims have no generation but the client's.
        if (generation === undefined) delete object.metadata.generation;
        else object.metadata.generation = generation;
        dropDisabledClaimFields(object.spec, undefined, features);
      },
      prepareForUpdate(object, old) {
        (object as AnyResourceClaim).status = old.status;
        dropDisabledClaimFields(object.spec, old.spec, features);
      },
      load: (object, old) =>
        selectors.load(
          object,
          selectorsOf(toV1beta2(object).devices),
          old && selectorsOf(toV1beta2(old).devices),
        ),
      validate: (object) => [
        ...baseStrategy.validate(object),
        ...adminAccessCheck.validate(object, object.spec),
        ...validateDevices(object),
      ],
      // kube-apiserver runs the create validation and then the update validation; both report invalid devices.
      validateUpdate(object, old) {
        const deviceErrors = validateDevices(object);
        return [
          ...validateMetadata(object.metadata, { namespaced: true, nameRule: baseStrategy.validateName }),
          ...baseStrategy.validate(object),
          ...deviceErrors,
          ...baseStrategy.validateUpdate(object, old),
          ...(encodeSpec(object) === encodeSpec(old) ? [] : [immutableSpecError(toV1beta2(object))]),
          ...deviceErrors,
        ];
      },
    },
    status: {
      verbs: ['get', 'patch', 'update'],
      rules: {
        resetFields: ['spec'],
        prepareForUpdate(object, old) {
          (object as ApiObject).spec = old.spec;
          resetObjectMetaForStatus(object.metadata, old.metadata);
          dropDisabledClaimStatusFields(object.status, old.status, features);
        },
        validateUpdate: (object, old) => [
          ...validateMetadataChange(object.metadata, old.metadata),
          ...validateAllocatedAdminAccess(object, adminAccessCheck),
          ...validateClaimStatus(object.status, old.status, toV1beta2(object).devices),
        ],
      },
    },
  };
}

function immutableSpecError(spec: ResourceClaimSpecV1beta2): FieldError {
  return invalid('spec', goSyntaxOfType(ResourceClaimSpecV1beta2, spec), 'field is immutable');
}

/** A result may have adminAccess only if the spec requests it: the namespace label was checked on create. */
function validateAllocatedAdminAccess(
  { spec, status }: AnyResourceClaim,
  adminAccessCheck: AdminAccessCheck,
): FieldError[] {
  const isRequested = (spec.devices.requests ?? []).some(
    (request) => (request.exactly ?? request).adminAccess,
  );
  if (isRequested) return [];
  return (status.allocation?.devices.results ?? []).flatMap(({ adminAccess }, i) =>
    adminAccess
      ? [adminAccessCheck.forbiddenError(`status.allocation.devices.results[${i}].adminAccess`)]
      : [],
  );
}
