// Questions of a worker thread to the serving thread (the main thread) while it prepares a large write: stored objects,
// permissions, addresses of Services. The worker waits for each answer, so that the code that runs on it stays synchronous.
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { ServiceSpec } from '../apis/core/service-spec.ts';
import type { ObjectMetadata } from '../kind/api-object.ts';
import type { Decision, SubjectRules } from '../request/authorizer.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { StoredObject } from '../store/store.ts';
import { type TransferredError, toApiError } from './messages.ts';
import { NotOffloadable } from './snapshot-store.ts';

/** Each question, with its input and the type of its answer. */
export interface Questions {
  get: { input: string; answer: SentObject | undefined };
  /** Some objects of the range. Empty at its end. */
  range: {
    input: { readonly prefix: string; readonly after: string | undefined };
    answer: readonly SentObject[];
  };
  authorize: { input: { readonly user: User; readonly info: RequestInfo }; answer: Decision };
  rulesFor: { input: { readonly user: User; readonly namespace: string }; answer: SubjectRules };
  /** Reserves cluster IPs. The answer is the Service with them. */
  reserveAddresses: {
    input: {
      readonly service: AddressedService;
      readonly old: AddressedService | undefined;
      readonly dryRun: boolean;
    };
    answer: AddressedService;
  };
  /** Reserves a node port; any free one if the input is undefined. */
  allocatePort: { input: number | undefined; answer: AllocatedPort };
  /** Releases what was reserved. */
  undoReservation: { input: undefined; answer: undefined };
}

/** A stored object in a message, where a Buffer arrives as a Uint8Array. */
export type SentObject = Omit<StoredObject, 'json'> & { readonly json: Uint8Array };

/** The part of a Service that decides on its addresses, without what may be very large. Of the selector, one label. */
export interface AddressedService {
  readonly metadata: Pick<ObjectMetadata, 'name' | 'namespace' | 'uid'>;
  readonly spec: Omit<ServiceSpec, 'ports' | 'externalIPs' | 'loadBalancerSourceRanges'>;
}

/** The node port, or the message of a PortAllocationError. */
export type AllocatedPort = { readonly port: number } | { readonly problem: string };

export type QuestionName = keyof Questions;

export interface QuestionMessage<Name extends QuestionName = QuestionName> {
  readonly question: Name;
  readonly input: Questions[Name]['input'];
}

/** The answer, or the ApiError that the write is rejected with. Neither: the worker cannot prepare this write. */
export interface AnswerMessage {
  readonly answer?: unknown;
  readonly error?: TransferredError;
  readonly isFailed?: true;
}

/** Both ends of the channel of one worker thread. */
export interface QuestionChannel {
  readonly port: MessagePort;
  /** One number: 1 when an answer was sent. */
  readonly signal: Int32Array<SharedArrayBuffer>;
}

/** Not reached: a task has the same timeout (on-demand-thread.ts) and began earlier, and its thread is terminated then. */
const answerTimeoutMs = 60_000;

/** Opens the channel for a new thread: `worker` goes to the thread. */
export function openQuestionChannel(): { serving: QuestionChannel; worker: QuestionChannel } {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return { serving: { port: port1, signal }, worker: { port: port2, signal } };
}

/** Serving thread: answers each question with `answer`. */
export function answerQuestions(
  { port, signal }: QuestionChannel,
  answer: (message: QuestionMessage) => Promise<AnswerMessage>,
): void {
  port.on('message', async (message: QuestionMessage) => {
    const answered = await answer(message);
    try {
      port.postMessage(answered);
    } catch {
      // The answer cannot be cloned: the serving thread prepares the write itself.
      port.postMessage({ isFailed: true } satisfies AnswerMessage);
    }
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
  port.unref();
}

/** Worker thread: asks, and waits for the answer. */
export class ServingThread {
  readonly #channel: QuestionChannel;

  constructor(channel: QuestionChannel) {
    this.#channel = channel;
  }

  ask<Name extends QuestionName>(question: Name, input: Questions[Name]['input']): Questions[Name]['answer'] {
    const { port, signal } = this.#channel;
    Atomics.store(signal, 0, 0);
    port.postMessage({ question, input } satisfies QuestionMessage<Name>);
    Atomics.wait(signal, 0, 0, answerTimeoutMs);
    const received = receiveMessageOnPort(port)?.message as AnswerMessage | undefined;
    if (!received || received.isFailed) throw new NotOffloadable(`no answer to ${question}`);
    if (received.error) throw toApiError(received.error);
    return received.answer as Questions[Name]['answer'];
  }
}
