// Attacks on authentication and authorization: access reviews and invalid tokens.
import { createHmac } from 'node:crypto';
import type { LoadKind } from '../attacker.ts';
import { attacked } from '../users.ts';
import { body, must, NumberedBody, times } from './objects.ts';

const reviews = '/apis/authorization.k8s.io/v1';
const local = `${reviews}/namespaces/${attacked}/localsubjectaccessreviews`;
const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${attacked}`;
const resourceAttributes = { namespace: attacked, verb: 'get', resource: 'configmaps' };

const largeGroups = new Map<number, NumberedBody>();
const largeGroup = (index: number) => {
  const known = largeGroups.get(index);
  if (known) return known;
  const groups = [`00000000${'g'.repeat(260_000)}`];
  const made = new NumberedBody({ spec: { user: 'u', groups, resourceAttributes } }, index);
  largeGroups.set(index, made);
  return made;
};

/** Roles for the attackers' own rules review. */
async function manyRoles(admin: Parameters<NonNullable<LoadKind['prepare']>>[0]): Promise<void> {
  for (let role = 0; role < 10; role++) {
    const rules = times(1_000, (index) => ({
      apiGroups: [`g${role}-${index}`],
      resources: ['things'],
      verbs: ['get'],
    }));
    const metadata = { name: `many-${role}` };
    await must(admin, { method: 'POST', path: `${rbac}/roles`, body: body({ metadata, rules }) });
    const apiGroup = 'rbac.authorization.k8s.io';
    const binding = {
      metadata,
      roleRef: { apiGroup, kind: 'Role', name: metadata.name },
      subjects: [{ apiGroup, kind: 'Group', name: 'attackers' }],
    };
    await must(admin, { method: 'POST', path: `${rbac}/rolebindings`, body: body(binding) });
  }
}

const rulesReview = body({ spec: { namespace: attacked } });

/** A JWT of this issuer with a wrong signature. */
function forgedToken(subject: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: 'https://reference.local', aud: ['https://reference.local'], exp: 4e9, sub: subject };
  const content = `${part({ alg: 'RS256', kid: 'unknown' })}.${part(claims)}`;
  return `${content}.${createHmac('sha512', 'x').update(content).digest('base64url').repeat(4)}`;
}

export const accessReviews: readonly LoadKind[] = [
  {
    name: 'access reviews with 260 KB groups',
    rights: 'namespace',
    attack: async (attacker) =>
      void (await attacker.send({ method: 'POST', path: local, body: largeGroup(attacker.index).next() })),
  },
  {
    name: 'small access reviews',
    rights: 'namespace',
    attack: async (attacker) =>
      void (await attacker.send({
        method: 'POST',
        path: local,
        body: body({ spec: { user: attacker.uniqueName(), groups: ['g'], resourceAttributes } }),
      })),
  },
  {
    name: 'rules reviews with 10,000 rules',
    rights: 'namespace',
    prepare: manyRoles,
    attack: async (attacker) =>
      void (await attacker.send({
        method: 'POST',
        path: `${reviews}/selfsubjectrulesreviews`,
        body: rulesReview,
      })),
  },
  {
    name: 'invalid tokens',
    rights: 'namespace',
    attack: async (attacker) => {
      const name = attacker.uniqueName();
      const token = attacker.round % 2 === 0 ? name : forgedToken(`system:serviceaccount:default:${name}`);
      await attacker.send({ path: '/api/v1/namespaces', headers: { authorization: `Bearer ${token}` } });
    },
  },
];
