// PersistentVolumes and claims of tests, each test with its own namespace and names.
import assert from 'node:assert/strict';
import type { Body, TestServer } from './client.ts';
import { until } from './controllers.ts';

export interface ClaimStatus {
  phase: string;
  capacity?: { storage: string };
  accessModes?: string[];
}
export interface VolumeStatus {
  phase: string;
  message?: string;
}
export const volumes = '/api/v1/persistentvolumes';
export const classes = '/apis/storage.orch.io/v1/storageclasses';
export const claimStatus = ({ status }: Body) => status as ClaimStatus;
export const volumeStatus = ({ status }: Body) => status as VolumeStatus;
export const claimRefOf = ({ spec }: Body) => spec.claimRef as Record<string, string> | undefined;

/** The time that is advanced while a test waits: retries and the resync come due. */
const stepMs = 1_000;

export class VolumeNamespace {
  readonly #api: TestServer;
  readonly name: string;
  readonly claims: string;

  private constructor(api: TestServer, name: string) {
    this.#api = api;
    this.name = name;
    this.claims = `/api/v1/namespaces/${name}/persistentvolumeclaims`;
  }

  static async create(api: TestServer): Promise<VolumeNamespace> {
    const { body } = await api.post('/api/v1/namespaces', { metadata: { generateName: 'volumes-' } });
    return new VolumeNamespace(api, body.metadata.name);
  }

  /** The name of a cluster-scoped object of this test. */
  own(name: string): string {
    return `${this.name}.${name}`;
  }

  /** A volume of the class of this test. */
  async createVolume(name: string, storage = '1Gi', spec: object = {}, metadata: object = {}): Promise<Body> {
    return this.#create(volumes, {
      metadata: { name: this.own(name), ...metadata },
      spec: {
        capacity: { storage },
        accessModes: ['ReadWriteOnce'],
        storageClassName: this.own('class'),
        csi: { driver: 'example.com', volumeHandle: name },
        ...spec,
      },
    });
  }

  /** A claim of the class of this test. */
  async createClaim(name: string, storage = '1Gi', spec: object = {}, metadata: object = {}): Promise<Body> {
    return this.#create(this.claims, this.claimManifest(name, storage, spec, metadata));
  }

  claimManifest(name: string, storage = '1Gi', spec: object = {}, metadata: object = {}): object {
    return {
      metadata: { name, ...metadata },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage } },
        storageClassName: this.own('class'),
        ...spec,
      },
    };
  }

  createClass(fields: object = {}, metadata: object = {}): Promise<Body> {
    return this.#create(classes, {
      metadata: { name: this.own('class'), ...metadata },
      provisioner: 'example.com/none',
      ...fields,
    });
  }

  /** A pod with these claims. It is created once its ServiceAccount exists. */
  async createPod(name: string, claimNames: readonly string[], spec: object = {}): Promise<string> {
    const pods = `/api/v1/namespaces/${this.name}/pods`;
    const pod = {
      metadata: { name },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        volumes: claimNames.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
        ...spec,
      },
    };
    const { code, text } = await this.until(
      () => this.#api.post(pods, pod),
      (response) => response.code !== 403,
    );
    assert.equal(code, 201, text);
    return `${pods}/${name}`;
  }

  async #create(path: string, object: object): Promise<Body> {
    const { code, text, body } = await this.#api.post(path, object);
    assert.equal(code, 201, text);
    return body;
  }

  async claim(name: string): Promise<Body> {
    return (await this.#api.get(`${this.claims}/${name}`)).body;
  }

  async volume(name: string): Promise<Body> {
    return (await this.#api.get(`${volumes}/${this.own(name)}`)).body;
  }

  untilClaim(name: string, phase: string): Promise<Body> {
    return this.until(
      () => this.claim(name),
      (claim) => claimStatus(claim)?.phase === phase,
    );
  }

  untilVolume(name: string, phase: string): Promise<Body> {
    return this.until(
      () => this.volume(name),
      (volume) => volumeStatus(volume)?.phase === phase,
    );
  }

  /** As `until`, while time passes. */
  until<T>(look: () => Promise<T>, isGood: (seen: T) => boolean): Promise<T> {
    return until(async () => {
      this.#api.server.clock.advance(stepMs);
      return look();
    }, isGood);
  }

  /** Waits for an Event about an object, and returns its message. */
  async event(objectName: string, reason: string, namespace = this.name): Promise<string> {
    const find = ({ items }: Body) =>
      items.find(
        (event) => event.reason === reason && (event.involvedObject as { name: string }).name === objectName,
      );
    const events = `/api/v1/namespaces/${namespace}/events`;
    const { body } = await this.until(
      () => this.#api.get(events),
      (response) => find(response.body) !== undefined,
    );
    return find(body)!.message;
  }
}
