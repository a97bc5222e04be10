// certificatesigningrequest-approving-controller: approves client certificates of kubelets whose requester is
// authorized.
import { requestOf } from '../../apis/authorization/review-attributes.ts';
import type { CertificateSigningRequest } from '../../apis/certificates/certificatesigningrequest.ts';
import { parseRequest } from '../../apis/certificates/certificatesigningrequest-validation.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { InformerController } from '../runtime/informer-controller.ts';
import { hasCondition, SigningRequests } from './csr.ts';
import { kubeletClientProblem } from './signer-rules.ts';

/** Interval of retries for requesters that lack the permission, which they may receive later. */
const askAgainAfter = 60_000;

interface Approval {
  /** The subresource that the requester must be allowed to create. */
  readonly right: string;
  readonly message: string;
}

const forItself: Approval = {
  right: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
};
const forAnyNode: Approval = {
  right: 'nodeclient',
  message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
};

export class CsrApprovingController extends InformerController {
  readonly #context: ControllerContext;
  readonly #requests: SigningRequests;

  constructor(context: ControllerContext) {
    const requests = new SigningRequests(context.api);
    super(context, requests.resource.prefix, { name: 'certificate_csrapproving' });
    this.#context = context;
    this.#requests = requests;
  }

  protected async reconcile(key: string): Promise<void> {
    const request = this.#requests.get(key);
    if (!request || request.status.certificate) return;
    if (hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return;
    const approvals = this.#possible(request);
    for (const approval of approvals) {
      if (!(await this.#mayHave(request, approval))) continue;
      const { message } = approval;
      const approved = { type: 'Approved', reason: 'AutoApproved', message };
      const { client } = this.#context;
      await client.updateApproval(this.#requests.withCondition(request, approved), this.#context.identity);
      return;
    }
    if (approvals.length > 0) this.queue.addAfter(key, askAgainAfter);
  }

  /** The recognizer that matches the request. */
  #possible({ spec }: CertificateSigningRequest): Approval[] {
    if (spec.signerName !== this.#context.api.dialect.signers.apiServerClientKubelet) return [];
    const asked = parseRequest(spec.request ?? '');
    if (kubeletClientProblem(asked, spec.usages ?? []) !== undefined) return [];
    return spec.username === asked.commonName ? [forItself, forAnyNode] : [forAnyNode];
  }

  async #mayHave({ spec }: CertificateSigningRequest, { right }: Approval): Promise<boolean> {
    const { authorizer, dialect } = this.#context.api;
    const { username = '', uid = '', groups = [], extra = {} } = spec;
    const info = requestOf({
      resourceAttributes: {
        group: dialect.groupName('certificates'),
        version: '*',
        resource: 'certificatesigningrequests',
        subresource: right,
        verb: 'create',
      },
    });
    return (await authorizer.authorize({ name: username, uid, groups, extra }, info)).allowed;
  }
}
