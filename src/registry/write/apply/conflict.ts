import { ApiError } from '../../../errors/status.ts';
import { formatPath } from '../../../patch/apply/fields-v1.ts';
import type { ManagedFieldSet } from '../../../patch/apply/managed-fields.ts';
import type { ManagerConflict } from '../../../patch/apply/structured-apply.ts';

/** What a client hears whose intent changes what others own. */
export function applyConflict(conflicts: readonly ManagerConflict[]): ApiError {
  const found = conflicts
    .map(({ owner, fields }) => ({
      owner: shown(owner),
      order: orderOf(owner),
      paths: [...fields.paths()].map(formatPath),
    }))
    .sort((one, other) => (one.order < other.order ? -1 : 1));
  const count = found.reduce((sum, { paths }) => sum + paths.length, 0);
  const causes = found.flatMap(({ owner, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })),
  );
  const message =
    count === 1
      ? `Apply failed with 1 conflict: conflict with ${found[0]!.owner}: ${found[0]!.paths[0]}`
      : `Apply failed with ${count} conflicts: ${found.map(listed).join('\n')}`;
  return new ApiError(409, 'Conflict', message, { causes });
}

function listed({ owner, paths }: { owner: string; paths: readonly string[] }): string {
  return [`conflicts with ${owner}:`, ...paths.map((path) => `- ${path}`)].join('\n');
}

/** Owners come in the order of their entries' texts. */
function orderOf({ manager, operation, apiVersion, subresource }: ManagedFieldSet): string {
  return JSON.stringify({
    manager,
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource !== '' && { subresource }),
  });
}

function shown({ manager, operation, apiVersion, subresource }: ManagedFieldSet): string {
  const part = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${JSON.stringify(manager)}${part}${version}`;
}
