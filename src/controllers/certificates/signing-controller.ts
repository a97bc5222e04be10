// certificatesigningrequest-signing-controller: signs approved requests for the built-in signers.
import type { CertificateSigningRequest } from '../../apis/certificates/certificatesigningrequest.ts';
import { parseRequest } from '../../apis/certificates/certificatesigningrequest-validation.ts';
import type { ClusterSigner } from '../../pki/cluster-signer.ts';
import { decodePairs } from '../../store/pairs.ts';
import type { StoredObject } from '../../store/store.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { InformerController } from '../runtime/informer-controller.ts';
import { hasCondition, SigningRequests } from './csr.ts';
import { signerRules } from './signer-rules.ts';

export class CsrSigningController extends InformerController {
  readonly #context: ControllerContext;
  readonly #signer: ClusterSigner;
  readonly #rules: ReturnType<typeof signerRules>;
  readonly #requests: SigningRequests;

  constructor(context: ControllerContext, signer: ClusterSigner) {
    const requests = new SigningRequests(context.api);
    super(context, requests.resource.prefix, { name: 'certificate_csrsigning' });
    this.#context = context;
    this.#signer = signer;
    this.#rules = signerRules(context.api.dialect.signers);
    this.#requests = requests;
  }

  protected override onUpsert(stored: StoredObject): void {
    const signer = decodePairs(stored.fields).get('spec.signerName');
    if (signer !== undefined && this.#rules.has(signer)) super.onUpsert(stored);
  }

  protected async reconcile(key: string): Promise<void> {
    const request = this.#requests.get(key);
    if (!request || !isToBeSigned(request)) return;
    const { client, api } = this.#context;
    const { request: text, signerName, usages = [], expirationSeconds } = request.spec;
    const asked = parseRequest(text ?? '');
    const problem = this.#rules.get(signerName)?.(asked, usages);
    if (problem !== undefined) {
      const failed = { type: 'Failed', reason: 'SignerValidationFailure', message: problem };
      await client.updateStatus(this.#requests.withCondition(request, failed), this.#context.identity);
      return;
    }
    const wish = { usages, ...(expirationSeconds !== undefined && { life: expirationSeconds * 1000 }) };
    const signed = await this.#signer.sign(asked, wish, api.clock.now());
    const certificate = Buffer.from(signed).toString('base64');
    await client.updateStatus(this.#requests.withStatus(request, { certificate }), this.#context.identity);
  }
}

function isToBeSigned(request: CertificateSigningRequest): boolean {
  if (request.status.certificate || hasCondition(request, 'Failed')) return false;
  return hasCondition(request, 'Approved') && !hasCondition(request, 'Denied');
}
