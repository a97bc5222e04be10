// certificatesigningrequest-approving-controller: approves client certificates of kubelets whose requester is
// authorized.
import { toRequestInfo } from '../../apis/authorization/review-attributes.ts';
import type { CertificateSigningRequest } from '../../apis/certificates/certificatesigningrequest.ts';
import { parseRequest } from '../../apis/certificates/certificatesigningrequest-validation.ts';
import { timestamp } from '../../base/clock.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { InformerController } from '../runtime/informer-controller.ts';
import { hasCondition, signingRequests, withCondition } from './csr.ts';
import { kubeletClientProblem } from './signer-rules.ts';

/** Interval of retries for requesters that lack the permission, which they may receive later. */
const retryIntervalMs = 60_000;

/** A recognizer of upstream's sarapprove: the permission that approves a request, and the message of the condition. */
interface Approval {
  /** The subresource that the requester must be allowed to create. */
  readonly subresource: string;
  readonly message: string;
}

const selfNodeClient: Approval = {
  subresource: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
};
const nodeClient: Approval = {
  subresource: 'nodeclient',
  message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
};

export class CsrApprovingController extends InformerController<CertificateSigningRequest> {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    super(context, signingRequests, { name: 'certificate_csrapproving' });
    this.#context = context;
  }

  protected async reconcile(key: string): Promise<void> {
    const request = this.informer.getByKey(key)?.decode();
    if (!request || request.status.certificate) return;
    if (hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return;
    const approvals = this.#recognize(request);
    for (const approval of approvals) {
      if (!(await this.#isAuthorized(request, approval))) continue;
      const { message } = approval;
      const approved = { type: 'Approved', reason: 'AutoApproved', message };
      const { client, clock, identity } = this.#context;
      await client.updateApproval(withCondition(request, approved, timestamp(clock)), identity);
      return;
    }
    if (approvals.length > 0) this.queue.addAfter(key, retryIntervalMs);
  }

  /** The approvals that the content of the request allows. */
  #recognize({ spec }: CertificateSigningRequest): Approval[] {
    if (spec.signerName !== this.#context.dialect.signers.apiServerClientKubelet) return [];
    const signingRequest = parseRequest(spec.request ?? '');
    if (kubeletClientProblem(signingRequest, spec.usages ?? []) !== undefined) return [];
    return spec.username === signingRequest.commonName ? [selfNodeClient, nodeClient] : [nodeClient];
  }

  async #isAuthorized({ spec }: CertificateSigningRequest, { subresource }: Approval): Promise<boolean> {
    const { authorizer, dialect } = this.#context;
    const { username = '', uid = '', groups = [], extra = {} } = spec;
    const info = toRequestInfo({
      resourceAttributes: {
        group: dialect.groupName('certificates'),
        version: '*',
        resource: 'certificatesigningrequests',
        subresource,
        verb: 'create',
      },
    });
    return (await authorizer.authorize({ name: username, uid, groups, extra }, info)).allowed;
  }
}
