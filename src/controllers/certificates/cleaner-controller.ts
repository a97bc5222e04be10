// certificatesigningrequest-cleaner-controller: deletes old CertificateSigningRequests.
import type { CertificateSigningRequest } from '../../apis/certificates/certificatesigningrequest.ts';
import { every } from '../../base/clock.ts';
import { ApiError } from '../../errors/status.ts';
import { pemBlocks } from '../../pki/pem.ts';
import { parseCertificate } from '../../pki/x509/certificate.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { SigningRequests } from './csr.ts';

const hour = 60 * 60_000;
const lookEvery = hour;
/** How long an approved, denied or failed request is kept, and a pending one. */
const keptDecided = hour;
const keptPending = 24 * hour;

/** Deletes requests that are done or pending for too long, and those whose certificate has expired. */
export class CsrCleanerController implements Controller {
  readonly #context: ControllerContext;
  readonly #requests: SigningRequests;
  readonly #queue: WorkQueue;
  #stop = () => {};

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#requests = new SigningRequests(context.api);
    this.#queue = context.newQueue({ name: 'csrcleaner', reconcile: (key) => this.#look(key) });
  }

  start(): void {
    this.#lookAtAll();
    this.#stop = every(this.#context.api.clock, lookEvery, () => this.#lookAtAll());
  }

  reset(): void {
    this.#queue.clear();
    this.#lookAtAll();
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#queue.close();
  }

  #lookAtAll(): void {
    const view = this.#context.api.store.pin();
    for (const key of view.keys(`${this.#requests.resource.prefix}/`)) this.#queue.add(key);
    view.release();
  }

  async #look(key: string): Promise<void> {
    const request = this.#requests.get(key);
    const { client, api } = this.#context;
    if (!request || !isOver(request, api.clock.now())) return;
    const { apiVersion, kind } = this.#requests.resource;
    const { name, uid, resourceVersion } = request.metadata;
    const preconditions = { uid: uid!, resourceVersion: resourceVersion! };
    try {
      await client.delete({ apiVersion, kind, name: name! }, { preconditions });
    } catch (error) {
      // The request was deleted or changed concurrently: the next run in an hour decides again.
      if (!(error instanceof ApiError && [404, 409].includes(error.code))) throw error;
    }
  }
}

function isOver({ metadata, status }: CertificateSigningRequest, now: number): boolean {
  const { conditions = [], certificate } = status;
  const isPast = (time: string | null | undefined, kept: number) =>
    Boolean(time) && now - Date.parse(time!) > kept;
  if (conditions.length === 0) return isPast(metadata.creationTimestamp, keptPending);
  const isDecided = conditions.some(({ type, lastUpdateTime }) => {
    const kept = type === 'Approved' && !certificate ? keptPending : keptDecided;
    return ['Approved', 'Denied', 'Failed'].includes(type) && isPast(lastUpdateTime, kept);
  });
  return isDecided || (certificate ? hasExpired(certificate, now) : false);
}

function hasExpired(certificate: string, now: number): boolean {
  try {
    const [first] = pemBlocks(Buffer.from(certificate, 'base64').toString('latin1'));
    return first !== undefined && parseCertificate(first.data).notAfter < now;
  } catch {
    // Not PEM, from a third-party signer: only the time of its approval counts.
    return false;
  }
}
