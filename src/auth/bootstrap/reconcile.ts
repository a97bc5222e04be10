// RBAC bootstrap policy: creates and reconciles the bootstrap roles and bindings at start.
import type { ClusterRole } from '../../apis/rbac/clusterrole.ts';
import { uncoveredRules } from '../../apis/rbac/policy-comparator.ts';
import type { RoleBinding } from '../../apis/rbac/rolebinding.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject, ObjectMetadata } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import { defaultDeleteOptions } from '../../kind/delete-options.ts';
import { decodeLazily } from '../../kind/storage/codec.ts';
import type { Api } from '../../registry/api.ts';
import { plainWrite } from '../../registry/options/write-options.ts';
import { keyOf } from '../../registry/target.ts';
import { create } from '../../registry/verbs/create.ts';
import { deleteObject } from '../../registry/verbs/delete.ts';
import { update } from '../../registry/verbs/update.ts';
import { decodeBody } from '../../registry/write/decode.ts';
import { jsonBody } from '../../serializers/request-body.ts';
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

type Wanted = BootstrapRole | BootstrapBinding;

/**
 * Adds missing objects, rules, subjects, labels and annotations, and keeps additions of administrators. The autoupdate
 * annotation `false` excludes an object. Nothing is written if nothing is missing.
 */
export async function ensureBootstrapPolicy(
  api: Api,
  context: Pick<KindContext, 'dialect' | 'features'>,
): Promise<void> {
  const wanted: readonly Wanted[] = [...bootstrapRoles(context), ...bootstrapBindings(context)];
  // Concurrently, so that they share group commits.
  await Promise.all(wanted.map((object) => ensure(api, object)));
}

async function ensure(api: Api, wanted: Wanted): Promise<void> {
  const { dialect, registry, store } = api;
  const resource = registry.kind(dialect.groupName('rbac.authorization'), 'v1', pluralOf[wanted.kind]);
  const { name = '', namespace = '' } = wanted.metadata;
  const target = { resource, namespace, name, subresource: '' };
  const read = (object: object) =>
    decodeBody(registry, resource, jsonBody(Buffer.from(JSON.stringify(object))), 'Ignore', []);
  for (;;) {
    const stored = store.get(keyOf(target));
    const existing = stored && decodeLazily(resource, stored);
    try {
      if (!existing) {
        await create(api, { ...target, name: '' }, read(wanted), plainWrite, []);
        return;
      }
      if (isAutoupdateDisabled(existing, dialect)) return;
      // roleRef is immutable: the binding is deleted and created again, unless a finalizer keeps it.
      if (hasOtherRole(existing, wanted)) {
        const { gone } = await deleteObject(api, target, defaultDeleteOptions);
        if (!gone) return;
      } else {
        const reconciled = reconcile(existing, wanted);
        if (reconciled) await update(api, target, () => read(reconciled), plainWrite, []);
        return;
      }
    } catch (error) {
      // Another replica may have changed the object concurrently.
      if (!(error instanceof ApiError) || (error.code !== 409 && error.code !== 404)) throw error;
    }
  }
}

const isAutoupdateDisabled = ({ metadata }: ApiObject, { annotations }: Dialect) =>
  metadata.annotations?.[annotations.autoupdate] === 'false';

function hasOtherRole({ roleRef }: ApiObject, wanted: Wanted): boolean {
  return 'roleRef' in wanted && !isSame(roleRef as object, wanted.roleRef);
}

/** The object with all missing parts added; undefined if nothing is missing. */
function reconcile(existing: ApiObject, wanted: Wanted): ApiObject | undefined {
  const { metadata } = existing;
  const lacksMetadata =
    lacksAny(metadata.labels, wanted.metadata.labels) ||
    lacksAny(metadata.annotations, wanted.metadata.annotations);
  const additions =
    'roleRef' in wanted
      ? missingSubjects(existing as RoleBinding, wanted)
      : missingRulesOrSelectors(existing as ClusterRole, wanted);
  if (!lacksMetadata && !additions) return undefined;
  return { ...existing, ...additions, metadata: withMissingMetadata(metadata, wanted.metadata) };
}

function withMissingMetadata(existing: ObjectMetadata, wanted: ObjectMetadata): ObjectMetadata {
  return {
    ...existing,
    labels: { ...wanted.labels, ...existing.labels },
    annotations: { ...wanted.annotations, ...existing.annotations },
  };
}

function lacksAny(existing: ObjectMetadata['labels'] = {}, wanted: ObjectMetadata['labels'] = {}): boolean {
  return Object.keys(wanted).some((key) => !Object.hasOwn(existing, key));
}

/** The rules of an aggregated role belong to the aggregation controller: only its selectors are reconciled. */
function missingRulesOrSelectors({ rules, aggregationRule }: ClusterRole, wanted: BootstrapRole) {
  if (!wanted.aggregationRule) {
    const missing = uncoveredRules(rules ?? [], wanted.rules ?? [], Number.POSITIVE_INFINITY);
    return missing.length > 0 && { rules: [...(rules ?? []), ...missing] };
  }
  const selectors = aggregationRule?.clusterRoleSelectors ?? [];
  const missing = wanted.aggregationRule.clusterRoleSelectors.filter(
    ({ matchLabels }) => !selectors.some((one) => isSame(one.matchLabels ?? {}, matchLabels)),
  );
  return missing.length > 0 && { aggregationRule: { clusterRoleSelectors: [...selectors, ...missing] } };
}

function missingSubjects({ subjects = [] }: RoleBinding, wanted: BootstrapBinding) {
  const missing = wanted.subjects.filter((subject) => !subjects.some((one) => isSame(one, subject)));
  return missing.length > 0 && { subjects: [...subjects, ...missing] };
}

/** Compares two flat objects with string values. */
function isSame(one: object, other: object): boolean {
  const [texts, others] = [Object.entries(one), new Map(Object.entries(other))];
  return texts.length === others.size && texts.every(([key, text]) => others.get(key) === text);
}
