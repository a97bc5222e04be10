// certificatesigningrequest-cleaner-controller: deletes old CertificateSigningRequests.
import type { CertificateSigningRequest } from '../../apis/certificates/certificatesigningrequest.ts';
import { every } from '../../base/clock.ts';
import type { Lister } from '../../client/lister.ts';
import { ApiError } from '../../errors/status.ts';
import { pemBlocks } from '../../pki/pem.ts';
import { parseCertificate } from '../../pki/x509/certificate.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { signingRequests } from './csr.ts';

const hourMs = 60 * 60_000;
const checkIntervalMs = hourMs;
/** How long an approved, denied or failed request is kept, and a pending one. */
const decidedTtlMs = hourMs;
const pendingTtlMs = 24 * hourMs;

/** Deletes requests that are done or pending for too long, and those whose certificate has expired. */
export class CsrCleanerController implements Controller {
  readonly #context: ControllerContext;
  readonly #requests: Lister<CertificateSigningRequest>;
  readonly #queue: WorkQueue;
  #stop = () => {};

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#requests = context.informers.lister(signingRequests);
    this.#queue = context.newQueue({ name: 'csrcleaner', reconcile: (key) => this.#reconcile(key) });
  }

  start(): void {
    this.#enqueueAll();
    this.#stop = every(this.#context.clock, checkIntervalMs, () => this.#enqueueAll());
  }

  reset(): void {
    this.#queue.clear();
    this.#enqueueAll();
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#queue.close();
  }

  #enqueueAll(): void {
    for (const key of this.#requests.keys()) this.#queue.add(key);
  }

  async #reconcile(key: string): Promise<void> {
    const request = this.#requests.getByKey(key)?.decode();
    const { client, clock } = this.#context;
    if (!request || !isToBeDeleted(request, clock.now())) return;
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

/** Without a condition a request is pending; an approved one is pending until its certificate is issued. */
function isToBeDeleted({ metadata, status }: CertificateSigningRequest, now: number): boolean {
  const { conditions = [], certificate } = status;
  const isOlderThan = (time: string | null | undefined, ttlMs: number) =>
    Boolean(time) && now - Date.parse(time!) > ttlMs;
  if (conditions.length === 0) return isOlderThan(metadata.creationTimestamp, pendingTtlMs);
  const wasDecidedLongAgo = conditions.some(({ type, lastUpdateTime }) => {
    const ttlMs = type === 'Approved' && !certificate ? pendingTtlMs : decidedTtlMs;
    return ['Approved', 'Denied', 'Failed'].includes(type) && isOlderThan(lastUpdateTime, ttlMs);
  });
  return wasDecidedLongAgo || (certificate !== undefined && hasExpired(certificate, now));
}

function hasExpired(certificate: string, now: number): boolean {
  try {
    // status.certificate is base64 of PEM.
    const [certificateBlock] = pemBlocks(Buffer.from(certificate, 'base64').toString('latin1'));
    return certificateBlock !== undefined && parseCertificate(certificateBlock.data).notAfter < now;
  } catch {
    // Not PEM, from a third-party signer: only the time of its approval counts.
    return false;
  }
}
