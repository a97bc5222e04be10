import assert from 'node:assert/strict';
import type { TestClient } from '../support/client.ts';

/** The data of an object, or undefined if it does not exist. */
type Content = string | undefined;

/** A write that the server acknowledged with the object and its new revision. */
export interface AcknowledgedWrite {
  readonly name: string;
  readonly content: Content;
}

const OBJECTS_PER_WRITER = 6;
const SHARED_OBJECTS = 3;
const bulk = 'x'.repeat(500);

/** Clients that create, update and delete ConfigMaps, each on its own connection, and record the responses. */
export class WriteLoad {
  readonly #client: TestClient;
  readonly #path: string;
  readonly #writers: Writer[];
  /** Every acknowledged create and update, by its revision. */
  readonly acknowledged = new Map<number, AcknowledgedWrite>();
  #answers = 0;

  constructor(client: TestClient, path: string, writers: number) {
    this.#client = client;
    this.#path = path;
    this.#writers = Array.from({ length: writers }, (_, number) => new Writer(number));
  }

  /** Writes until the server is gone; calls `onEnough` after this many responses. */
  async run(round: number, enough: number, onEnough: () => void): Promise<void> {
    this.#answers = 0;
    const onAnswer = () => {
      if (++this.#answers === enough) onEnough();
    };
    await Promise.all(this.#writers.map((writer) => this.#write(writer, round, onAnswer)));
  }

  /** The number of writes without a response. */
  get unanswered(): number {
    return this.#writers.filter(({ pending }) => pending).length;
  }

  /** Compares the state of the server with the responses of each client, and continues from there. */
  reconcile(state: ReadonlyMap<string, string>): void {
    for (const { known, pending, number } of this.#writers) {
      for (const [name, content] of known) {
        if (pending?.name === name && state.get(name) === pending.content) known.set(name, pending.content);
        else assert.equal(state.get(name), content, `${name}, last written by client ${number}`);
      }
    }
  }

  async #write(writer: Writer, round: number, onAnswer: () => void): Promise<void> {
    writer.pending = undefined;
    for (let step = 0; ; step++) {
      const write = writer.next(`${round} ${writer.number} ${step} ${bulk}`);
      writer.pending = write;
      let revision: number | undefined;
      try {
        revision = await this.#send(write);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        return;
      }
      writer.pending = undefined;
      if (!write.isShared) writer.known.set(write.name, write.content);
      if (revision !== undefined) this.acknowledged.set(revision, write);
      onAnswer();
    }
  }

  /** Resolves to the revision, if the response has one. Rejects without a response. */
  async #send({ verb, name, content }: Write): Promise<number | undefined> {
    const object = { metadata: { name }, data: { content } };
    const path = verb === 'POST' ? this.#path : `${this.#path}/${name}`;
    const { code, text, body } = await this.#client.request(verb, path, content && object);
    assert.equal(code, verb === 'POST' ? 201 : 200, text);
    return content === undefined ? undefined : Number(body.metadata.resourceVersion);
  }

  /** Objects that all writers update must exist before the first update. */
  async prepare(): Promise<void> {
    for (let i = 0; i < SHARED_OBJECTS; i++) {
      await this.#client.post(this.#path, { metadata: { name: `shared-${i}` } });
    }
  }
}

interface Write extends AcknowledgedWrite {
  readonly verb: 'POST' | 'PUT' | 'DELETE';
  readonly isShared: boolean;
}

class Writer {
  readonly number: number;
  /** Its own objects, as of the last response. */
  readonly known = new Map<string, Content>();
  /** The write without a response. */
  pending: Write | undefined;
  #writes = 0;

  constructor(number: number) {
    this.number = number;
  }

  next(content: string): Write {
    const count = this.#writes++;
    if (count % 4 === 3) {
      return { verb: 'PUT', name: `shared-${count % SHARED_OBJECTS}`, content, isShared: true };
    }
    const name = `own-${this.number}-${count % OBJECTS_PER_WRITER}`;
    if (!this.known.has(name)) this.known.set(name, undefined);
    if (this.known.get(name) === undefined) return { verb: 'POST', name, content, isShared: false };
    if (count % 5 === 0) return { verb: 'DELETE', name, content: undefined, isShared: false };
    return { verb: 'PUT', name, content, isShared: false };
  }
}
