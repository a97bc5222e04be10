// certificatesigningrequest-signing-controller: signs approved requests for the built-in signers.
import type { CertificateSigningRequest } from '../../apis/certificates/certificatesigningrequest.ts';
import { parseRequest } from '../../apis/certificates/certificatesigningrequest-validation.ts';
import { timestamp } from '../../base/clock.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { ClusterSigner } from '../../pki/cluster-signer.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { InformerController } from '../runtime/informer-controller.ts';
import { hasCondition, signingRequests, withCondition, withStatus } from './csr.ts';
import { signerRules } from './signer-rules.ts';

export class CsrSigningController extends InformerController<CertificateSigningRequest> {
  readonly #context: ControllerContext;
  readonly #signer: ClusterSigner;
  readonly #rules: ReturnType<typeof signerRules>;

  constructor(context: ControllerContext, signer: ClusterSigner) {
    super(context, signingRequests, { name: 'certificate_csrsigning' });
    this.#context = context;
    this.#signer = signer;
    this.#rules = signerRules(context.dialect.signers);
  }

  protected override onAdd(request: InformerObject<CertificateSigningRequest>): void {
    const signerName = request.field('spec.signerName');
    if (signerName !== undefined && this.#rules.has(signerName)) super.onAdd(request);
  }

  protected async reconcile(key: string): Promise<void> {
    const request = this.informer.getByKey(key)?.decode();
    if (!request || !isToBeSigned(request)) return;
    const { client, clock, identity } = this.#context;
    const { request: encodedRequest, signerName, usages = [], expirationSeconds } = request.spec;
    const signingRequest = parseRequest(encodedRequest ?? '');
    const problem = this.#rules.get(signerName)?.(signingRequest, usages);
    if (problem !== undefined) {
      const failed = { type: 'Failed', reason: 'SignerValidationFailure', message: problem };
      await client.updateStatus(withCondition(request, failed, timestamp(clock)), identity);
      return;
    }
    const certificateOptions = {
      usages,
      ...(expirationSeconds !== undefined && { durationMs: expirationSeconds * 1000 }),
    };
    const certificatePem = await this.#signer.sign(signingRequest, certificateOptions, clock.now());
    const certificate = Buffer.from(certificatePem).toString('base64');
    await client.updateStatus(withStatus(request, { certificate }), identity);
  }
}

function isToBeSigned(request: CertificateSigningRequest): boolean {
  if (request.status.certificate || hasCondition(request, 'Failed')) return false;
  return hasCondition(request, 'Approved') && !hasCondition(request, 'Denied');
}
