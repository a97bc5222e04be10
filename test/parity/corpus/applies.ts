import { type Body, type JsonObject, type Step, send } from '../case.ts';

interface Wish {
  /** The manager; without one the request names none. */
  by?: string;
  force?: boolean;
  /** More of the query, such as `dryRun=All`. */
  query?: string;
  type?: string;
  headers?: Record<string, string | null>;
  as?: string;
  after?: number;
}

/** A server-side apply of an intent, which may be a text of YAML. */
export function apply(
  path: string,
  intent: Body,
  { by, force, query, type, headers, ...rest }: Wish = {},
): Step {
  const words = [
    ...(by === undefined ? [] : [`fieldManager=${encodeURIComponent(by)}`]),
    ...(force === undefined ? [] : [`force=${force}`]),
    ...(query === undefined ? [] : [query]),
  ];
  const contentType = type ?? 'application/apply-patch+yaml';
  return send('PATCH', words.length === 0 ? path : `${path}?${words.join('&')}`, intent, {
    headers: { 'content-type': contentType, ...headers },
    ...rest,
  });
}

/** A patch of another kind, which makes an owner by update. */
export function patchBy(manager: string, path: string, patch: JsonObject, type = 'merge-patch+json'): Step {
  return send('PATCH', `${path}?fieldManager=${manager}`, patch, {
    headers: { 'content-type': `application/${type}` },
  });
}

/** An intent as it must be: with its version and kind. */
export function intent(
  apiVersion: string,
  kind: string,
  name: string,
  fields: JsonObject = {},
  metadata: JsonObject = {},
): JsonObject {
  return { apiVersion, kind, metadata: { name, ...metadata }, ...fields };
}

export const configMapIntent = (name: string, data: JsonObject, metadata: JsonObject = {}): JsonObject =>
  intent('v1', 'ConfigMap', name, { data }, metadata);
