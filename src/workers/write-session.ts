// Serving thread: answers the questions of the worker thread that prepares one large write, and holds the addresses and
// ports that are reserved for it until the write is committed or dropped.
import type { Service } from '../apis/core/service.ts';
import type { Reservation } from '../kind/hooks.ts';
import { PortAllocationError, type PortOperation } from '../registry/service/node-ports.ts';
import { withPorts } from '../registry/service/service-allocation.ts';
import type { VerbContext } from '../registry/verb-context.ts';
import type { StoredObject } from '../store/store.ts';
import { toTransferredError, withoutJson } from './messages.ts';
import type {
  AddressedService,
  AllocatedPort,
  AnswerMessage,
  QuestionMessage,
  QuestionName,
  Questions,
  SentObject,
} from './questions.ts';

/** Limits of one answer to `range`, which is made in one turn of the event loop. At least one object is sent. */
const maxRangeObjects = 200;
const maxRangeBytes = 1024 * 1024;

export class WriteSession {
  readonly #api: VerbContext;
  /** What is reserved for a Service. Both are set, or neither. */
  #addresses: Reservation | undefined;
  #ports: PortOperation | undefined;
  #isClosed = false;

  constructor(api: VerbContext) {
    this.#api = api;
  }

  async answer({ question, input }: QuestionMessage): Promise<AnswerMessage> {
    if (this.#isClosed) return { isFailed: true };
    try {
      const answer = this.#answers[question] as (input: unknown) => unknown;
      return { answer: await answer(input) };
    } catch (error) {
      const transferred = toTransferredError(error);
      return transferred ? { error: transferred } : { isFailed: true };
    }
  }

  /** What was reserved for the write. The caller commits or undoes it. */
  takeReservation(): Reservation | undefined {
    const [addresses, ports] = [this.#addresses, this.#ports];
    this.#addresses = this.#ports = undefined;
    return addresses && ports && withPorts(addresses, ports);
  }

  /** Releases a reservation that nobody took. A worker that is still preparing the write gets no further answers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // The repair controllers find an allocation that was not released.
    await this.takeReservation()
      ?.undo()
      .catch(() => {});
  }

  readonly #answers: {
    readonly [Name in QuestionName]: (
      input: Questions[Name]['input'],
    ) => Questions[Name]['answer'] | Promise<Questions[Name]['answer']>;
  } = {
    get: (key) => {
      const stored = this.#api.store.get(key);
      return stored && toSent(stored);
    },
    range: ({ prefix, after }) => this.#readRange(prefix, after),
    authorize: async ({ user, info }) => {
      const { allowed, reason } = await this.#api.authorizer.authorize(user, info);
      return { allowed, reason };
    },
    rulesFor: ({ user, namespace }) => this.#api.authorizer.rulesFor(user, namespace),
    reserveAddresses: (input) => this.#reserveAddresses(input),
    allocatePort: (port) => this.#allocatePort(port),
    undoReservation: async () => {
      await this.takeReservation()?.undo();
      return undefined;
    },
  };

  #readRange(prefix: string, after: string | undefined): SentObject[] {
    const view = this.#api.store.pin();
    const sent: SentObject[] = [];
    let bytes = 0;
    for (const object of view.range(prefix, after)) {
      sent.push(toSent(object));
      bytes += object.json.length;
      if (sent.length === maxRangeObjects || bytes >= maxRangeBytes) break;
    }
    view.release();
    return sent;
  }

  async #reserveAddresses({
    service,
    old,
    dryRun,
  }: Questions['reserveAddresses']['input']): Promise<AddressedService> {
    await this.takeReservation()?.undo();
    const { serviceAllocation } = this.#api;
    this.#addresses = await serviceAllocation.reserveAddresses(
      this.#api,
      service as Service,
      old as Service | undefined,
      dryRun,
    );
    this.#ports = serviceAllocation.beginPorts(dryRun);
    // The client disconnected meanwhile.
    if (this.#isClosed) await this.close();
    return service;
  }

  #allocatePort(requested: number | undefined): AllocatedPort {
    const operation = this.#ports!;
    try {
      if (requested === undefined) return { port: operation.allocateNext() };
      operation.allocate(requested);
      return { port: requested };
    } catch (error) {
      if (!(error instanceof PortAllocationError)) throw error;
      return { problem: error.message };
    }
  }
}

function toSent(stored: StoredObject): SentObject {
  const { length: _, ...properties } = withoutJson(stored);
  // Copied, because the message would carry the whole ArrayBuffer that the bytes are a part of.
  return { ...properties, json: new Uint8Array(stored.json) };
}
