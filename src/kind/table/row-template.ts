// The Table row of a stored object as a template with gaps for ages, so that it can be rendered on a worker thread or cached.
import { stringifyJson } from '../../codec/json/stringify.ts';
import type { StoredObject } from '../../store/store.ts';
import type { ApiObject } from '../api-object.ts';
import type { ServedKind, ServedResource } from '../registry.ts';
import { decodeLazily, decodeStored } from '../storage/codec.ts';
import type { TableLayout } from '../table.ts';
import { defaultLayout, rowOf } from '../table-rows.ts';
import { type AgeTemplate, renderAgeTemplate } from './age-formatter.ts';

export type StoredRow = Pick<StoredObject, 'key' | 'json' | 'schemaFingerprint'>;

/** The printer columns of a kind. Tables of built-in kinds are those of the storage version, in all versions. */
export function layoutOf(servedKind: ServedKind): TableLayout {
  const storedLayout = servedKind.definition.isCustom ? undefined : ownLayout(servedKind.stored);
  return storedLayout ?? ownLayout(servedKind) ?? defaultLayout;
}

/** Undefined if the kind has no printer columns. */
function ownLayout({ definition }: Pick<ServedKind, 'definition'>): TableLayout | undefined {
  return 'table' in definition ? (definition.table as TableLayout) : undefined;
}

/** The object that a Table row shows: a custom resource in the requested version, others in the storage version. */
export function decodeForTable(resource: ServedResource, stored: StoredRow): ApiObject {
  return resource.definition.isCustom ? decodeStored(resource, stored) : decodeLazily(resource, stored);
}

/** A row without its `object` and its closing brace. */
export interface RowTemplate extends AgeTemplate {
  /** The resourceVersion of the object, which a Table with one row shows. */
  readonly resourceVersion?: string | undefined;
}

export function rowTemplateOf(resource: ServedResource, stored: StoredRow): RowTemplate {
  const layout = layoutOf(resource);
  const object = decodeForTable(resource, stored);
  const template = renderAgeTemplate((ages) => stringifyJson(rowOf(layout, object, ages)).slice(0, -1));
  return { ...template, resourceVersion: object.metadata.resourceVersion };
}
