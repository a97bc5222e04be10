// Tables: the server's own columns of a kind, in pages, with the metadata of each object.
import type { Session } from './session.ts';

export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

export interface ObjectMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
}

interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

export interface TableRow {
  readonly cells: readonly unknown[];
  readonly object: { readonly metadata: ObjectMetadata };
}

export interface Table {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly columnDefinitions?: readonly ColumnDefinition[] | null;
  readonly rows?: readonly TableRow[] | null;
}

const pageSize = 1000;

export function tableType(session: Session): string {
  return `application/json;as=Table;g=${session.info.names.metaGroup};v=v1`;
}

/** The query of a list or watch. */
export interface TableQuery {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** A past revision; default: the current state. */
  readonly exactRevision?: string;
}

export function queryOf(query: TableQuery): URLSearchParams {
  const parameters = new URLSearchParams({ includeObject: 'Metadata' });
  if (query.labelSelector) parameters.set('labelSelector', query.labelSelector);
  if (query.fieldSelector) parameters.set('fieldSelector', query.fieldSelector);
  return parameters;
}

/** Yields the pages of a collection, all of one revision. */
export async function* tablePages(
  session: Session,
  path: string,
  query: TableQuery,
  signal: AbortSignal,
): AsyncGenerator<Table, void> {
  let continueToken: string | undefined;
  do {
    const parameters = queryOf(query);
    parameters.set('limit', String(pageSize));
    if (continueToken) parameters.set('continue', continueToken);
    else if (query.exactRevision) {
      parameters.set('resourceVersion', query.exactRevision);
      parameters.set('resourceVersionMatch', 'Exact');
    }
    const page = await session.json<Table>(`${path}?${parameters}`, { accept: tableType(session), signal });
    yield page;
    continueToken = page.metadata.continue || undefined;
  } while (continueToken);
}
