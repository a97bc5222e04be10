// Lists all objects of a collection in chunks (limit and continue).
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import type { Connection } from './connection.ts';
import { itemsOf, textOf } from './json-fields.ts';
import { responseError } from './response-error.ts';

const pageSize = 500;

export async function listObjects(connection: Connection, path: string): Promise<JsonObject[]> {
  const objects: JsonObject[] = [];
  let continueToken = '';
  do {
    const continueQuery = continueToken === '' ? '' : `&continue=${encodeURIComponent(continueToken)}`;
    const response = await connection.get(`${path}?limit=${pageSize}${continueQuery}`);
    if (response.code !== 200 || !response.body) throw responseError(path, response);
    const { items, metadata } = response.body;
    objects.push(...itemsOf(items).filter(isObject));
    continueToken = isObject(metadata) ? textOf(metadata.continue) : '';
  } while (continueToken !== '');
  return objects;
}
