// `orch volume`: reads the ConfigMaps, Secrets, trust bundles and tokens of a volume from an API server.
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import type {
  IssuedToken,
  KeyedObject,
  ProjectedTokenRequest,
  TrustBundle,
  VolumeReader,
} from '../../volumes/volume-reader.ts';
import type { Connection } from '../cluster/connection.ts';
import { type ClusterResource, findResource } from '../cluster/find-resource.ts';
import { textOf } from '../cluster/json-fields.ts';
import { listObjects } from '../cluster/list-objects.ts';
import { responseError } from '../cluster/response-error.ts';

export class ClusterReader implements VolumeReader {
  readonly #connection: Connection;
  #bundleResource: Promise<ClusterResource> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async configMap(namespace: string, name: string): Promise<KeyedObject | undefined> {
    return toKeyedObject(
      await this.#read(`/api/v1/namespaces/${namespace}/configmaps/${encodeURIComponent(name)}`),
    );
  }

  async secret(namespace: string, name: string): Promise<KeyedObject | undefined> {
    return toKeyedObject(
      await this.#read(`/api/v1/namespaces/${namespace}/secrets/${encodeURIComponent(name)}`),
    );
  }

  async trustBundle(name: string): Promise<TrustBundle | undefined> {
    const bundle = await this.#read(`${await this.#bundlePath()}/${encodeURIComponent(name)}`);
    return bundle && toTrustBundle(bundle);
  }

  async trustBundlesOf(signerName: string): Promise<readonly TrustBundle[]> {
    const bundles = await listObjects(this.#connection, await this.#bundlePath());
    return bundles.map(toTrustBundle).filter(({ spec }) => spec.signerName === signerName);
  }

  async allocatable(node: string): Promise<Readonly<Record<string, string>>> {
    const nodeObject = await this.#read(`/api/v1/nodes/${encodeURIComponent(node)}`);
    return isObject(nodeObject?.status) ? stringMap(nodeObject.status.allocatable) : {};
  }

  async token({
    namespace,
    account,
    audience,
    expirationSeconds,
    pod,
  }: ProjectedTokenRequest): Promise<IssuedToken> {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${encodeURIComponent(account)}/token`;
    const spec = {
      audiences: audience === '' ? [] : [audience],
      expirationSeconds,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', ...pod },
    };
    const response = await this.#connection.post(path, { spec });
    const { status } = response.body ?? {};
    if (response.code !== 201 || !isObject(status)) throw responseError(path, response);
    return { token: textOf(status.token), expirationTimestamp: textOf(status.expirationTimestamp) };
  }

  async #bundlePath(): Promise<string> {
    this.#bundleResource ??= findResource(this.#connection, 'clustertrustbundles');
    const { group, version, plural } = await this.#bundleResource;
    return `/apis/${group}/${version}/${plural}`;
  }

  /** Returns undefined if the object does not exist. */
  async #read(path: string): Promise<JsonObject | undefined> {
    const response = await this.#connection.get(path);
    if (response.code === 404) return undefined;
    if (response.code !== 200 || !response.body) throw responseError(path, response);
    return response.body;
  }
}

const toKeyedObject = (object: JsonObject | undefined): KeyedObject | undefined =>
  object && { data: stringMap(object.data), binaryData: stringMap(object.binaryData) };

function toTrustBundle({ metadata, spec }: JsonObject): TrustBundle {
  const { name, labels } = isObject(metadata) ? metadata : {};
  const { signerName, trustBundle } = isObject(spec) ? spec : {};
  return {
    metadata: { name: textOf(name), labels: stringMap(labels) },
    spec: { signerName: textOf(signerName), trustBundle: textOf(trustBundle) },
  };
}

function stringMap(value: JsonValue | undefined): Record<string, string> {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, textOf(text)]))
    : {};
}
