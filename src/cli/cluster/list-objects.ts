// Lists all objects of a collection in pages.
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import type { Connection } from './connection.ts';
import { itemsOf, textOf } from './loosely.ts';
import { refusal } from './refusal.ts';

const pageSize = 500;

export async function listObjects(connection: Connection, path: string): Promise<JsonObject[]> {
  const objects: JsonObject[] = [];
  let next = '';
  do {
    const answer = await connection.get(
      `${path}?limit=${pageSize}${next && `&continue=${encodeURIComponent(next)}`}`,
    );
    if (answer.code !== 200 || !answer.body) throw refusal(path, answer);
    const { items, metadata } = answer.body;
    objects.push(...itemsOf(items).filter(isObject));
    next = isObject(metadata) ? textOf(metadata.continue) : '';
  } while (next !== '');
  return objects;
}
