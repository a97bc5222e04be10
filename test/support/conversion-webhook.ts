import type { WebhookInstructions } from './webhook.ts';

type Json = Record<string, unknown>;

interface Asked {
  readonly objects: readonly Json[];
  readonly desired: string;
}

/**
 * The response of a conversion webhook. In `v2` objects have `spec.host` and `spec.port`; in all other versions both are
 * one string, `spec.hostPort`.
 */
export function conversionOf(
  told: WebhookInstructions,
  { objects, desired }: Asked,
  annotations: object,
): Json {
  const converted = objects.map((object) => {
    const honest = { ...object, apiVersion: desired, spec: converse(object.spec, desired) };
    const noted =
      Object.keys(annotations).length > 0 ? merged(honest, { metadata: { annotations } }) : honest;
    return merged(noted, told.puts ?? {});
  });
  if (told.reversed) converted.reverse();
  const { count = converted.length } = told;
  return {
    convertedObjects: Array.from({ length: count }, (_, index) => converted[index % converted.length]),
    result: { status: 'Success' },
  };
}

function converse(spec: unknown, desired: string): unknown {
  if (typeof spec !== 'object' || spec === null) return spec;
  if (desired.endsWith('/v2')) {
    const { hostPort, ...rest } = spec as Json;
    if (typeof hostPort !== 'string') return spec;
    const [host = '', port = ''] = hostPort.split(':');
    return { ...rest, host, port };
  }
  const { host, port, ...rest } = spec as Json;
  return host === undefined && port === undefined
    ? spec
    : { ...rest, hostPort: `${host ?? ''}:${port ?? ''}` };
}

/** Merges one object into another; null removes a field. */
function merged(one: Json, other: object): Json {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = result[key];
    if (value === null) delete result[key];
    else if (isMap(value) && isMap(before)) result[key] = merged(before, value);
    else result[key] = value;
  }
  return result;
}

const isMap = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
