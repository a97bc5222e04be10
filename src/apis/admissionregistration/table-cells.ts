// Table cells that several kinds of admissionregistration share.
import { unset } from '../../kind/table/cells.ts';
import { column } from '../../kind/table/columns.ts';

export const paramKindColumn = column('ParamKind', 'The kind of the parameter objects.');

export function paramKind(kind: { apiVersion?: string; kind?: string } | undefined): string {
  return kind ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : unset;
}
