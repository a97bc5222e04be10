/** Support for the tests of SPEC's rules: objects of one kind, sent over HTTP with one change. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { JsonValue } from '../../src/codec/json/json-value.ts';
import { applyMergePatch } from '../../src/patch/merge-patch.ts';
import { type Body, type TestResponse, TestServer } from '../support/client.ts';
import { minimalObjects } from '../support/minimal-objects.ts';
import { startServer } from '../support/servers.ts';

/** A server with every version and feature, including alpha; stopped after the tests of the file. */
export async function everythingServed(): Promise<TestServer> {
  const http = new TestServer();
  http.server = await startServer({
    runtimeConfig: { 'api/all': true },
    featureGates: { AllAlpha: true, AllBeta: true },
    // This controller writes the status of migrations several times, while tests do too.
    controllers: ['*', '-storage-version-migrator-controller'],
  });
  after(() => http.server.stop());
  return http;
}

/** A change of an object, as a merge patch. */
type Change = Record<string, unknown>;

/**
 * Status that the server writes soon: whether the level of a FlowSchema exists, the usage of a quota, the type checking
 * of a policy, the availability of an APIService. Once it is written, nothing changes concurrently with a test.
 */
const toldSoon: Readonly<Record<string, string>> = {
  apiservices: 'conditions',
  flowschemas: 'conditions',
  resourcequotas: 'used',
  validatingadmissionpolicies: 'typeChecking',
};

/** One kind: its minimal object, and the responses to variations of it. Requests are dry runs. */
export class Kind {
  readonly http: TestServer;
  readonly collection: string;
  readonly least: Body;

  constructor(http: TestServer, collection: string, least: Change) {
    this.http = http;
    this.collection = collection;
    this.least = changed({ metadata: { name: 'example' } } as Body, least);
  }

  /** Asserts that the server accepts the minimal object with this change; returns the result. */
  async valid(change: Change = {}): Promise<Body> {
    const answer = await this.#tried(change);
    assert.equal(answer.code, 201, answer.text);
    return answer.body;
  }

  /** Asserts that the server rejects the minimal object with this change, because of this field. */
  async invalid(change: Change, field: string, message?: RegExp): Promise<void> {
    assertInvalid(await this.#tried(change), field, message);
  }

  /** Asserts that the server cannot decode the minimal object with this change. */
  async unreadable(change: Change, message: RegExp): Promise<void> {
    const answer = await this.#tried(change);
    assert.equal(answer.code, 400, answer.text);
    assert.match(answer.body.message, message);
  }

  async create(change: Change = {}): Promise<Body> {
    const answer = await this.http.post(this.collection, changed(this.least, change));
    assert.equal(answer.code, 201, answer.text);
    const told = toldSoon[this.collection.slice(this.collection.lastIndexOf('/') + 1)];
    const saysNothing = Object.keys(answer.body.spec ?? {}).length === 0;
    return told && !saysNothing ? this.#settled(answer.body, told) : answer.body;
  }

  async #settled({ metadata }: Body, told: string): Promise<Body> {
    for (;;) {
      const { body } = await this.http.get(`${this.collection}/${metadata.name}`);
      if ((body.status as Record<string, unknown>)[told]) return body;
    }
  }

  async update(object: Body, change: Change, subresource = ''): Promise<Body> {
    const answer = await this.#replaced(object, change, subresource);
    assert.equal(answer.code, 200, answer.text);
    return answer.body;
  }

  async invalidUpdate(object: Body, change: Change, field: string, message?: RegExp): Promise<void> {
    assertInvalid(await this.#replaced(object, change, ''), field, message);
  }

  /** Asserts that the server rejects these conditions in the status, because of this field of the first. */
  async invalidConditions(object: Body, conditions: object[], field: string): Promise<void> {
    const answer = await this.#replaced(object, { status: { conditions } }, 'status');
    assertInvalid(answer, `status.conditions[0].${field}`);
  }

  #tried(change: Change): Promise<TestResponse> {
    return this.http.post(`${this.collection}?dryRun=All`, changed(this.least, change));
  }

  #replaced(object: Body, change: Change, subresource: string): Promise<TestResponse> {
    const path = `${this.collection}/${object.metadata.name}${subresource && `/${subresource}`}`;
    return this.http.put(path, changed(object, change));
  }
}

/** A kind with the minimal object that tests of all kinds share. */
export function kind(http: TestServer, collection: string): Kind {
  const [, group = '', plural] =
    /^\/apis?\/(?:([\w.]+)\/)?v\w+\/(?:namespaces\/[^/]+\/)?(\w+)$/.exec(collection) ?? [];
  const found = minimalObjects[`${group.replace('.orch.io', '')} ${plural}`];
  assert.ok(found, `no smallest object for ${collection}`);
  const body = JSON.parse(JSON.stringify(found.body).replaceAll('DOMAIN', 'orch.io')) as Change;
  return new Kind(http, collection, { ...body, metadata: { name: found.name ?? 'example' } });
}

export function assertInvalid(answer: TestResponse, field: string, message?: RegExp): void {
  assert.equal(answer.code, 422, answer.text);
  assert.equal(answer.body.reason, 'Invalid');
  const fields = answer.body.details.causes.map((cause) => cause.field);
  assert.ok(fields.includes(field), `${field} is not among ${fields.join(', ')}: ${answer.body.message}`);
  if (message) assert.match(answer.body.message, message);
}

function changed(object: Body, change: Change): Body {
  return applyMergePatch(object as JsonValue, change as JsonValue) as Body;
}
