import type { CertificateSigningRequest } from '../../api/certificates/certificatesigningrequest.ts';
import { parseRequest } from '../../api/certificates/certificatesigningrequest-validation.ts';
import type { ClusterSigner } from '../../pki/cluster-signer.ts';
import { Follower } from '../../store/follower.ts';
import { decodePairs } from '../../store/pairs.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import type { WorkQueue } from '../work-queue.ts';
import { hasCondition, SigningRequests } from './requests.ts';
import { signerRules } from './signer-rules.ts';

/** Signs the requests for certificates that were approved, for the signers that are the service's own. */
export class CertificateSigning implements Controller {
  readonly #context: ControllerContext;
  readonly #signer: ClusterSigner;
  readonly #rules: ReturnType<typeof signerRules>;
  readonly #requests: SigningRequests;
  readonly #queue: WorkQueue;
  readonly #follower: Follower;

  constructor(context: ControllerContext, signer: ClusterSigner) {
    const { api, newQueue } = context;
    this.#context = context;
    this.#signer = signer;
    this.#rules = signerRules(api.dialect.signers);
    this.#requests = new SigningRequests(api);
    this.#queue = newQueue({ name: 'certificate_csrsigning', work: (key) => this.#look(key) });
    this.#follower = new Follower(api.store, this.#requests.resource.prefix, {
      add: ({ key, fields }) => {
        const signer = decodePairs(fields).get('spec.signerName');
        if (signer !== undefined && this.#rules.has(signer)) this.#queue.add(key);
      },
      remove: () => {},
      clear: () => this.#queue.clear(),
    });
  }

  start(): void {
    void this.#follower.warmUp();
  }

  reset(): void {
    this.#follower.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#follower.close();
    await this.#queue.close();
  }

  async #look(key: string): Promise<void> {
    const request = this.#requests.get(key);
    if (!request || !isToBeSigned(request)) return;
    const { client, api } = this.#context;
    const { request: text, signerName, usages = [], expirationSeconds } = request.spec;
    const asked = parseRequest(text ?? '');
    const problem = this.#rules.get(signerName)?.(asked, usages);
    if (problem !== undefined) {
      const failed = { type: 'Failed', reason: 'SignerValidationFailure', message: problem };
      await client.updateStatus(this.#requests.withCondition(request, failed), this.#requests.acting);
      return;
    }
    const wish = { usages, ...(expirationSeconds !== undefined && { life: expirationSeconds * 1000 }) };
    const signed = await this.#signer.sign(asked, wish, api.clock.now());
    const certificate = Buffer.from(signed).toString('base64');
    await client.updateStatus(this.#requests.withStatus(request, { certificate }), this.#requests.acting);
  }
}

function isToBeSigned(request: CertificateSigningRequest): boolean {
  if (request.status.certificate || hasCondition(request, 'Failed')) return false;
  return hasCondition(request, 'Approved') && !hasCondition(request, 'Denied');
}
