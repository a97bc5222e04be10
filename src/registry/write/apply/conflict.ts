// Server-side apply: the 409 Conflict that lists the fields owned by other field managers.
import { ApiError } from '../../../errors/status.ts';
import { formatPath } from '../../../patch/apply/field-set.ts';
import type { ManagedFieldSet } from '../../../patch/apply/managed-fields.ts';
import type { ManagerConflict } from '../../../patch/apply/structured-apply.ts';

/** The error for an apply that changes fields of other managers without `force`. */
export function applyConflict(conflicts: readonly ManagerConflict[]): ApiError {
  const sorted = conflicts
    .map(({ owner, fields }) => ({
      owner: describeManager(owner),
      sortKey: sortKeyOf(owner),
      paths: [...fields.paths()].map(formatPath),
    }))
    .sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1));
  const fieldCount = sorted.reduce((sum, { paths }) => sum + paths.length, 0);
  const causes = sorted.flatMap(({ owner, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })),
  );
  const message =
    fieldCount === 1
      ? `Apply failed with 1 conflict: conflict with ${sorted[0]!.owner}: ${sorted[0]!.paths[0]}`
      : `Apply failed with ${fieldCount} conflicts: ${sorted.map(conflictLines).join('\n')}`;
  return new ApiError(409, 'Conflict', message, { causes });
}

function conflictLines({ owner, paths }: { owner: string; paths: readonly string[] }): string {
  return [`conflicts with ${owner}:`, ...paths.map((path) => `- ${path}`)].join('\n');
}

/** kube-apiserver sorts conflicts by the JSON of the manager's identifier. */
function sortKeyOf({ manager, operation, apiVersion, subresource }: ManagedFieldSet): string {
  return JSON.stringify({
    manager,
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource !== '' && { subresource }),
  });
}

function describeManager({ manager, operation, apiVersion, subresource }: ManagedFieldSet): string {
  const through = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${JSON.stringify(manager)}${through}${version}`;
}
