// CustomResourceDefinition: the api-approved annotation that protected groups require.
import type { Dialect } from '../../dialect/dialect.ts';
import { quote } from '../../errors/quote.ts';
import type { CustomResourceDefinition } from './customresourcedefinition-schema.ts';

/** Whether a definition in a protected API group has been approved (api-approved annotation). */
export interface Approval {
  readonly state: 'approved' | 'unapproved' | 'missing' | 'invalid';
  /** The approval URL or reason, or the missing annotation. */
  readonly message: string;
}

/** The approval state of a definition in a protected group; undefined for other groups. */
export function approvalOf(
  { metadata, spec }: Pick<CustomResourceDefinition, 'metadata' | 'spec'>,
  dialect: Dialect,
): Approval | undefined {
  const isProtected = dialect.protectedDomains.some(
    (domain) => spec.group === domain || spec.group.endsWith(`.${domain}`),
  );
  if (!isProtected) return undefined;
  const key = dialect.annotations.apiApproved;
  const annotation = metadata.annotations?.[key] ?? '';
  const rule = `protected groups must have approval annotation ${quote(key)}`;
  const { apiApprovalAdvice: advice } = dialect;
  if (annotation === '') return { state: 'missing', message: `${rule}${advice}` };
  if (annotation.startsWith('unapproved'))
    return { state: 'unapproved', message: `not approved: ${quote(annotation)}` };
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/]/.test(annotation))
    return { state: 'approved', message: `approved in ${annotation}` };
  const expectedFormat = 'with either a URL or a reason starting with "unapproved"';
  return { state: 'invalid', message: `${rule} ${expectedFormat}${advice}` };
}
