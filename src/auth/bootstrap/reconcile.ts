// RBAC bootstrap policy: creates and reconciles the bootstrap roles and bindings at start.
import type { ClusterRole } from '../../apis/rbac/clusterrole.ts';
import { uncoveredRules } from '../../apis/rbac/policy-comparator.ts';
import type { RoleBinding } from '../../apis/rbac/rolebinding.ts';
import type { Client, Manifest } from '../../client/client.ts';
import type { Informers } from '../../client/informers.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject, ObjectMetadata } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import {
  type BootstrapBinding,
  type BootstrapRole,
  bootstrapBindings,
  bootstrapRoles,
} from './policy-objects.ts';

const pluralOf = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
} as const;

type BootstrapObject = BootstrapRole | BootstrapBinding;

export interface BootstrapPolicyContext extends Pick<KindContext, 'dialect' | 'features'> {
  readonly client: Client;
  readonly informers: Informers;
}

/**
 * Adds missing objects, rules, subjects, labels and annotations, and keeps additions of administrators. The autoupdate
 * annotation `false` excludes an object. Nothing is written if nothing is missing.
 */
export async function ensureBootstrapPolicy(context: BootstrapPolicyContext): Promise<void> {
  const desired: readonly BootstrapObject[] = [...bootstrapRoles(context), ...bootstrapBindings(context)];
  // Concurrently, so that they share group commits.
  await Promise.all(desired.map((object) => ensureObject(context, object)));
}

async function ensureObject(context: BootstrapPolicyContext, desired: BootstrapObject): Promise<void> {
  const { client, informers, dialect } = context;
  const resource = pluralOf[desired.kind];
  const lister = informers.lister<ApiObject>({ group: 'rbac.authorization', version: 'v1', resource });
  const { apiVersion, kind } = lister.resource;
  const { name = '', namespace = '' } = desired.metadata;
  const options = { fieldValidation: 'Ignore' } as const;
  // Each round reads the object again: after a conflict, and after a deletion.
  for (;;) {
    const cached = lister.get(namespace, name);
    const existing = cached?.tryDecodeLazily();
    // A corrupt object grants nothing, and an update would fail: a client has to delete it.
    if (cached && !existing) return;
    try {
      if (!existing) {
        await client.create({ ...desired, apiVersion, kind } as unknown as Manifest, options, lister);
        return;
      }
      if (isAutoupdateDisabled(existing, dialect)) return;
      if (!hasOtherRoleRef(existing, desired)) {
        const reconciled = reconcile(existing, desired);
        if (reconciled) await client.update(reconciled, options, lister);
        return;
      }
      // roleRef is immutable: the binding is deleted, and the next round creates it, unless a finalizer keeps it.
      await client.deleteByKey(lister, cached!.key, {});
      if (lister.get(namespace, name)) return;
    } catch (error) {
      // Another replica may have changed the object concurrently.
      if (!(error instanceof ApiError) || (error.code !== 409 && error.code !== 404)) throw error;
    }
  }
}

const isAutoupdateDisabled = ({ metadata }: ApiObject, { annotations }: Dialect) =>
  metadata.annotations?.[annotations.autoupdate] === 'false';

function hasOtherRoleRef({ roleRef }: ApiObject, desired: BootstrapObject): boolean {
  return 'roleRef' in desired && !isEqual(roleRef as object, desired.roleRef);
}

/** The object with all missing parts added; undefined if nothing is missing. */
function reconcile(existing: ApiObject, desired: BootstrapObject): ApiObject | undefined {
  const { metadata } = existing;
  const lacksMetadata =
    lacksAny(metadata.labels, desired.metadata.labels) ||
    lacksAny(metadata.annotations, desired.metadata.annotations);
  const mergedFields =
    'roleRef' in desired
      ? mergeSubjects(existing as RoleBinding, desired)
      : mergeRulesOrSelectors(existing as ClusterRole, desired);
  if (!lacksMetadata && !mergedFields) return undefined;
  return { ...existing, ...mergedFields, metadata: withMissingMetadata(metadata, desired.metadata) };
}

function withMissingMetadata(existing: ObjectMetadata, desired: ObjectMetadata): ObjectMetadata {
  return {
    ...existing,
    labels: { ...desired.labels, ...existing.labels },
    annotations: { ...desired.annotations, ...existing.annotations },
  };
}

function lacksAny(existing: ObjectMetadata['labels'] = {}, desired: ObjectMetadata['labels'] = {}): boolean {
  return Object.keys(desired).some((key) => !Object.hasOwn(existing, key));
}

/**
 * Returns the existing and the missing rules or selectors; false if none is missing.
 * The rules of an aggregated role belong to the aggregation controller: only its selectors are reconciled.
 */
function mergeRulesOrSelectors({ rules, aggregationRule }: ClusterRole, desired: BootstrapRole) {
  if (!desired.aggregationRule) {
    const missing = uncoveredRules(rules ?? [], desired.rules ?? [], Number.POSITIVE_INFINITY);
    return missing.length > 0 && { rules: [...(rules ?? []), ...missing] };
  }
  const selectors = aggregationRule?.clusterRoleSelectors ?? [];
  const missing = desired.aggregationRule.clusterRoleSelectors.filter(
    ({ matchLabels }) => !selectors.some((selector) => isEqual(selector.matchLabels ?? {}, matchLabels)),
  );
  return missing.length > 0 && { aggregationRule: { clusterRoleSelectors: [...selectors, ...missing] } };
}

/** Returns the existing and the missing subjects; false if none is missing. */
function mergeSubjects({ subjects = [] }: RoleBinding, desired: BootstrapBinding) {
  const missing = desired.subjects.filter(
    (subject) => !subjects.some((existing) => isEqual(existing, subject)),
  );
  return missing.length > 0 && { subjects: [...subjects, ...missing] };
}

/** Compares two flat objects with string values. */
function isEqual(left: object, right: object): boolean {
  const leftEntries = Object.entries(left);
  const rightValues = new Map(Object.entries(right));
  return (
    leftEntries.length === rightValues.size &&
    leftEntries.every(([key, value]) => rightValues.get(key) === value)
  );
}
