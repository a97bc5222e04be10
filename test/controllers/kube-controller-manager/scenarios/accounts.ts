import { at, condition } from '../api.ts';
import type { Scenario } from '../scenario.ts';
import { certificateRequest } from './certificate-request.ts';

const secrets = 'api/v1 secrets';
const requests = 'apis/certificates.k8s.io/v1 certificatesigningrequests';
const clusterRoles = 'apis/rbac.authorization.k8s.io/v1 clusterroles';

export const serviceAccount: Scenario = {
  name: 'serviceaccount',
  async run({ api, namespace, until }) {
    await api.create('api/v1 serviceaccounts', namespace, { metadata: { name: 'builder' } });
    const annotations = { 'kubernetes.io/service-account.name': 'builder' };
    await api.create(secrets, namespace, {
      metadata: { name: 'builder-token', annotations },
      type: 'kubernetes.io/service-account-token',
    });
    await until('a Secret for its token is filled in', async () => {
      const found = await api.get(secrets, namespace, 'builder-token');
      return !!at(found, 'data.token') && !!at(found, 'data.namespace');
    });
    await api.remove('api/v1 serviceaccounts', namespace, 'builder');
    await until('the Secret goes with the account', async () => {
      return !(await api.get(secrets, namespace, 'builder-token'));
    });
    await api.remove('api/v1 serviceaccounts', namespace, 'default');
    await until('the default account comes back', async () => {
      return !!(await api.get('api/v1 serviceaccounts', namespace, 'default'));
    });
  },
};

export const certificate: Scenario = {
  name: 'certificate',
  async run({ api, until }) {
    const name = 'reader';
    const asked = await api.create(requests, '', {
      metadata: { name },
      spec: {
        request: Buffer.from(certificateRequest).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
      },
    });
    const approved = { type: 'Approved', status: 'True', reason: 'Test', message: 'approved' };
    await api.replace(requests, '', name, { ...asked, status: { conditions: [approved] } }, 'approval');
    await until('an approved request is signed', async () => {
      const found = await api.get(requests, '', name);
      return condition(found, 'Approved') === 'True' && !!at(found, 'status.certificate');
    });
  },
};

export const aggregatedRole: Scenario = {
  name: 'clusterrole',
  async run({ api, until }) {
    const labels = { 'aggregate-to-test': 'true' };
    await api.create(clusterRoles, '', {
      metadata: { name: 'test-whole' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
      rules: [],
    });
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
    await api.create(clusterRoles, '', { metadata: { name: 'test-part', labels }, rules });
    await until('an aggregated role has the rules of its parts', async () => {
      const whole = await api.get(clusterRoles, '', 'test-whole');
      return JSON.stringify(at(whole, 'rules.0.verbs')) === '["get","list"]';
    });
  },
};
