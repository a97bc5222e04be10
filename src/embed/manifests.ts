// Applies manifests at the start of an embedded server: objects, and those in files and folders of YAML and JSON.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeYaml } from '../codec/yaml/decode.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ApiClient } from './api-client.ts';
import type { RestMapping } from './rest-mapping.ts';

/** A file, a folder with files, or an object. */
export type ManifestSource = string | object;

/** The field manager of what is applied. */
const fieldManager = 'orch-manifests';
const manifestFile = /\.(ya?ml|json)$/;
/** How long a definition may take to be served. */
const establishTimeoutMs = 10_000;
const pollMs = 2;

export class Manifests {
  readonly #client: ApiClient;
  readonly #mapping: RestMapping;

  constructor(client: ApiClient, mapping: RestMapping) {
    this.#client = client;
    this.#mapping = mapping;
  }

  /** Namespaces and definitions come first, whatever the order. */
  async apply(sources: readonly ManifestSource[]): Promise<void> {
    const objects = sources.flatMap(readManifests);
    const isFirst = ({ kind }: ApiObject) => kind === 'Namespace' || kind === definitionKind;
    const first = objects.filter(isFirst);
    for (const object of first) await this.#apply(object);
    for (const object of first) if (object.kind === definitionKind) await this.#untilServed(object);
    for (const object of objects) if (!isFirst(object)) await this.#apply(object);
  }

  async #apply(object: ApiObject): Promise<void> {
    try {
      const { namespaced } = await this.#mapping.find(object.apiVersion, object.kind);
      const namespace = object.metadata.namespace ?? 'default';
      const metadata = namespaced ? { ...object.metadata, namespace } : object.metadata;
      await this.#client.apply({ ...object, metadata }, { fieldManager, force: true });
    } catch (error) {
      const { message } = error as Error;
      throw Object.assign(error as Error, {
        message: `${object.kind} ${JSON.stringify(object.metadata.name)} cannot be applied: ${message}`,
      });
    }
  }

  async #untilServed(definition: ApiObject): Promise<void> {
    const reference = {
      apiVersion: definition.apiVersion,
      kind: definitionKind,
      name: definition.metadata.name!,
    };
    const deadlineMs = performance.now() + establishTimeoutMs;
    for (;;) {
      const { status } = await this.#client.get<ApiObject & { status?: DefinitionStatus }>(reference);
      const isTrue = (type: string) =>
        status?.conditions?.some((condition) => condition.type === type && condition.status === 'True');
      if (isTrue('Established')) return;
      const problem = status?.conditions?.find(
        ({ type, status }) => type === 'NamesAccepted' && status === 'False',
      );
      if (problem || performance.now() > deadlineMs) {
        throw new Error(
          `CustomResourceDefinition ${JSON.stringify(reference.name)} is not served: ${problem?.message ?? 'it is not established'}`,
        );
      }
      await sleep(pollMs);
    }
  }
}

const definitionKind = 'CustomResourceDefinition';

interface DefinitionStatus {
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly message?: string;
  }[];
}

function readManifests(source: ManifestSource): ApiObject[] {
  if (typeof source !== 'string') return [toObject(source, 'a manifest')];
  if (!statSync(source).isDirectory()) return readFile(source);
  return readdirSync(source)
    .filter((name) => manifestFile.test(name))
    .sort()
    .flatMap((name) => readFile(join(source, name)));
}

function readFile(path: string): ApiObject[] {
  const text = readFileSync(path, 'utf8');
  return text
    .split(/^---(?:\s.*)?$/m)
    .map((document) => {
      try {
        return decodeYaml(Buffer.from(document)).value;
      } catch (error) {
        throw new Error(`${path}: ${(error as Error).message}`);
      }
    })
    .filter((value) => value !== null)
    .flatMap((value) => {
      const { kind, items } = value as { kind?: unknown; items?: unknown };
      const isList = typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);
      return (isList ? (items as unknown[]) : [value]).map((object) => toObject(object, path));
    });
}

function toObject(value: unknown, origin: string): ApiObject {
  const { apiVersion, kind, metadata } = (value ?? {}) as Partial<ApiObject>;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof metadata?.name !== 'string') {
    throw new TypeError(`${origin} has an object without apiVersion, kind or metadata.name`);
  }
  return value as ApiObject;
}
