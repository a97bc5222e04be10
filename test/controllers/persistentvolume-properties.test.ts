// Property test of the PersistentVolume controller: whatever users do, in whatever order, and however often the controller loses its
// state, no volume is bound to two claims and no claim to two volumes.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../src/index.ts';
import { type Body, TestServer } from '../support/client.ts';
import { controllersIdle } from '../support/controllers.ts';
import { claimRefOf, claimStatus, VolumeNamespace, volumeStatus, volumes } from '../support/volumes.ts';

const options = {
  controllers: [
    'persistentvolume-binder-controller',
    'persistentvolume-protection-controller',
    'persistentvolumeclaim-protection-controller',
  ],
};
const steps = 20;
/** Actions that are sent at the same time. */
const burst = 8;

/** A server on disk, so that writes take time and are concurrent, and that can be stopped and started again. */
class RestartedServer extends TestServer {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    super();
    this.#dataDir = dataDir;
  }

  async start(): Promise<void> {
    const started = await startServer({ ...options, dataDir: this.#dataDir });
    this.server = started as unknown as TestServer['server'];
  }

  async restart(): Promise<void> {
    await this.server.stop();
    await this.start();
  }
}

/** A linear congruential generator, so that failures can be repeated. */
function randomSource(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(next() * below);
  const pick = <T>(items: readonly T[]): T | undefined => items[integer(items.length)];
  return { integer, pick };
}
type Random = ReturnType<typeof randomSource>;

/** Users who create, reserve, delete and free volumes and claims at random. */
class Users {
  readonly #api: TestServer;
  readonly #space: VolumeNamespace;
  readonly #random: Random;
  readonly #claims: string[] = [];
  readonly #volumes: string[] = [];
  #next = 0;

  constructor(server: TestServer, space: VolumeNamespace, random: Random) {
    this.#api = server;
    this.#space = space;
    this.#random = random;
  }

  async act(): Promise<void> {
    const { integer } = this.#random;
    switch (integer(10)) {
      case 0:
      case 1:
      case 2:
        return this.#createClaim({});
      case 3:
      case 4:
        return this.#createVolume({});
      case 5:
        return this.#createClaim({ volumeName: this.#space.own(`v-${integer(this.#next + 3)}`) });
      case 6: {
        const name = this.#random.pick(this.#claims) ?? `c-${this.#next + 2}`;
        return this.#createVolume({ claimRef: { namespace: this.#space.name, name } });
      }
      case 7:
        return this.#createHalfBoundVolume();
      case 8:
        return this.#deleteClaim();
      default:
        return this.#free();
    }
  }

  async #createClaim(spec: object): Promise<void> {
    const name = `c-${this.#next++}`;
    await this.#space.createClaim(name, `${this.#random.integer(3) + 1}Gi`, spec);
    this.#claims.push(name);
  }

  async #createVolume(spec: object, annotations: object = {}): Promise<void> {
    const name = `v-${this.#next++}`;
    this.#volumes.push(name);
    const metadata = { name: this.#space.own(name), annotations };
    await this.#space.createVolume(name, `${this.#random.integer(4) + 1}Gi`, spec, metadata);
  }

  /** What a controller leaves that stopped in the middle of a binding, or another one that chose another volume. */
  async #createHalfBoundVolume(): Promise<void> {
    const claim = this.#random.pick((await this.#api.get(this.#space.claims)).body.items);
    if (!claim) return;
    const { name, namespace, uid } = claim.metadata;
    const annotations = { 'pv.orch.io/bound-by-controller': 'yes' };
    // A controller chooses only volumes that are large enough.
    await this.#createVolume(
      { claimRef: { name, namespace, uid }, capacity: { storage: '9Gi' } },
      annotations,
    );
  }

  async #deleteClaim(): Promise<void> {
    const name = this.#random.pick(this.#claims);
    if (name === undefined) return;
    await this.#api.delete(`${this.#space.claims}/${name}`);
    // Half of the names are used again, for another claim.
    if (this.#random.integer(2) === 0) return;
    const isGone = (await this.#space.claim(name)).kind === 'Status';
    if (isGone) await this.#api.post(this.#space.claims, this.#space.claimManifest(name));
  }

  /** An administrator makes a released volume available again. */
  async #free(): Promise<void> {
    const name = this.#random.pick(this.#volumes);
    if (name === undefined) return;
    const volume = await this.#space.volume(name);
    if (volumeStatus(volume).phase !== 'Released') return;
    const { claimRef: _removed, ...spec } = volume.spec;
    await this.#api.put(`${volumes}/${this.#space.own(name)}`, { ...volume, spec });
  }
}

/** Checks every state of the cluster that a watch can observe. */
class Observer {
  readonly #api: TestServer;
  readonly #claims = new Map<string, Body>();
  readonly problems: string[] = [];
  #close = () => {};
  #watching: Promise<void> | undefined;

  constructor(api: TestServer) {
    this.#api = api;
  }

  start(claims: string): void {
    this.#claims.clear();
    this.#watching = this.#watch(claims).catch(() => {});
  }

  async stop(): Promise<void> {
    this.#close();
    await this.#watching;
  }

  async #watch(claims: string): Promise<void> {
    const watch = await this.#api.watch(`${claims}?watch=true`);
    this.#close = watch.close;
    for (let event = await watch.next(); event; event = await watch.next())
      this.onClaim(event.type, event.object);
  }

  onClaim(type: string, claim: Body): void {
    const { name } = claim.metadata;
    const before = this.#claims.get(name);
    if (type === 'DELETED') this.#claims.delete(name);
    else this.#claims.set(name, claim);
    const isSame = before?.metadata.uid === claim.metadata.uid;
    if (isSame && before!.spec.volumeName && before!.spec.volumeName !== claim.spec.volumeName)
      this.problems.push(`${name} moved from ${before!.spec.volumeName} to ${claim.spec.volumeName}`);
    if (type === 'DELETED' || claimStatus(claim).phase !== 'Bound') return;
    for (const other of this.#claims.values()) {
      const isBoundToSame =
        claimStatus(other).phase === 'Bound' && other.spec.volumeName === claim.spec.volumeName;
      if (other.metadata.name !== name && isBoundToSame)
        this.problems.push(`${name} and ${other.metadata.name} are bound to ${claim.spec.volumeName}`);
    }
  }
}

async function settle(api: TestServer): Promise<void> {
  for (let i = 0; i < 6; i++) {
    await controllersIdle(api);
    api.server.clock.advance(20_000);
  }
  await controllersIdle(api);
}

for (const seed of [1, 2, 3, 4]) {
  test(`no volume is bound to two claims and no claim to two volumes (seed ${seed})`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'orch-volumes-'));
    const api = new RestartedServer(dataDir);
    await api.start();
    try {
      await run(api, randomSource(seed));
    } finally {
      await api.server.stop();
      await rm(dataDir, { recursive: true });
    }
  });
}

async function run(api: RestartedServer, random: Random): Promise<void> {
  const space = await VolumeNamespace.create(api);
  const users = new Users(api, space, random);
  const observer = new Observer(api);
  observer.start(space.claims);
  for (let step = 0; step < steps; step++) {
    await Promise.all(Array.from({ length: burst }, () => users.act()));
    if (random.integer(3) === 0) api.server.clock.advance(1_000);
    if (random.integer(6) > 0) continue;
    await observer.stop();
    await api.restart();
    observer.start(space.claims);
  }
  await settle(api);
  await observer.stop();
  assert.deepEqual(observer.problems, []);
  await checkFinalState(api, space);
}

async function checkFinalState(api: TestServer, space: VolumeNamespace): Promise<void> {
  const claims = (await api.get(space.claims)).body.items;
  const ownVolumes = (await api.get(volumes)).body.items.filter(({ metadata }) =>
    metadata.name.startsWith(`${space.name}.`),
  );
  let bound = 0;
  for (const claim of claims) {
    const { name, uid } = claim.metadata;
    const referring = ownVolumes.filter((volume) => claimRefOf(volume)?.uid === uid);
    if (claimStatus(claim).phase !== 'Bound') {
      assert.deepEqual(referring, [], `${name} is not bound, but volumes refer to it`);
      continue;
    }
    bound++;
    const names = referring.map(({ metadata }) => metadata.name);
    assert.deepEqual(names, [claim.spec.volumeName], `the volumes that refer to ${name}`);
    assert.equal(volumeStatus(referring[0]!).phase, 'Bound');
  }
  assert.ok(bound > 5, `only ${bound} claims were bound`);
  // Nobody waits who could be bound.
  const free = ownVolumes.filter(({ spec }) => spec.claimRef === undefined);
  const size = (text: string) => Number.parseInt(text, 10);
  for (const claim of claims.filter(
    (each) => claimStatus(each).phase === 'Pending' && !each.spec.volumeName,
  )) {
    const requested = (claim.spec.resources as { requests: { storage: string } }).requests.storage;
    const fitting = free.filter(
      ({ spec }) => size((spec.capacity as { storage: string }).storage) >= size(requested),
    );
    const isLeaving = claim.metadata.deletionTimestamp !== undefined;
    if (!isLeaving)
      assert.deepEqual(
        fitting.map(({ metadata }) => metadata.name),
        [],
        claim.metadata.name,
      );
  }
}
