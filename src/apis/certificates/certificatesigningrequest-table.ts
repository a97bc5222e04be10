// CertificateSigningRequest: printer columns of its Table.

import { age, humanDuration, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { CertificateSigningRequest } from './certificatesigningrequest.ts';

export const certificateSigningRequestTable: TableLayout<CertificateSigningRequest> = {
  columns: [
    nameColumn,
    ageColumn,
    column('SignerName', 'The requested signer.'),
    column('Requestor', 'The requesting user.'),
    column('RequestedDuration', 'The requested validity of the certificate.'),
    column('Condition', 'The conditions of the request.'),
  ],
  cells(request, ages) {
    const { spec, metadata } = request;
    return [
      metadata.name ?? '',
      age(request, ages),
      spec.signerName || none,
      spec.username || none,
      spec.expirationSeconds === undefined ? none : humanDuration(spec.expirationSeconds * 1000),
      requestState(request),
    ];
  },
};

function requestState({ status }: CertificateSigningRequest): string {
  const hasCondition = (expected: string) => (status.conditions ?? []).some(({ type }) => type === expected);
  const decision = ['Denied', 'Approved'].find(hasCondition) ?? 'Pending';
  const states = [decision];
  if (hasCondition('Failed')) states.push('Failed');
  if (status.certificate) states.push('Issued');
  return states.join(',');
}
