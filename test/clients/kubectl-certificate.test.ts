import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import {
  keyPairs,
  makeRequest,
  type RequestOptions,
  requestPem,
} from '../../src/pki/signing-request.fixture.ts';
import { kubectlSkipReason } from './kubectl.ts';
import { untilAllowed } from './kubectl-permissions.ts';
import { Workspace } from './workspace.ts';

describe('kubectl certificate', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  const used: string[] = [];
  before(async () => {
    work = await Workspace.open('certificate', ['certificatesigningrequest-signing-controller']);
  });
  after(async () => {
    if (used.length > 0) await work.try(['delete', 'csr', ...used]);
    await work?.stop();
  });

  async function ask(
    suffix: string,
    signerName = 'example.com/signer',
    making: RequestOptions = {},
  ): Promise<string> {
    const name = `${work.namespace}-${suffix}`;
    const request = Buffer.from(requestPem(makeRequest(making))).toString('base64');
    const metadata = { name };
    const spec = { request, signerName, usages: ['client auth'] };
    const object = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata,
      spec,
    };
    await work.run('create -f -', JSON.stringify(object));
    used.push(name);
    return name;
  }
  const state = async (name: string) =>
    (await work.run(`get csr ${name} --no-headers`)).trim().split(/ +/).at(-1);

  test('approve approves, and is idempotent', async () => {
    const name = await ask('approved');
    assert.equal(await state(name), 'Pending');
    const done = `certificatesigningrequest.certificates.k8s.io/${name} approved\n`;
    assert.equal(await work.run(`certificate approve ${name}`), done);
    assert.equal(await state(name), 'Approved');
    const { conditions } = (await work.object(`csr/${name}`)).status;
    assert.deepEqual(
      conditions.map(({ type, status, reason }: Record<string, string>) => [type, status, reason]),
      [['Approved', 'True', 'KubectlApprove']],
    );
    assert.equal(await work.run(`certificate approve ${name}`), done);
  });

  test('an approved client certificate authenticates kubectl', async () => {
    const keys = keyPairs.ec();
    const signerName = 'kubernetes.io/kube-apiserver-client';
    const name = await ask('client', signerName, { commonName: 'jane', organizations: ['crew'], keys });
    await work.run(`certificate approve ${name}`);
    await work.run(`wait csr/${name} --for=jsonpath={.status.certificate} --timeout=3m`);
    assert.equal(await state(name), 'Approved,Issued');
    const encoded = await work.run(`get csr ${name} -o jsonpath={.status.certificate}`);
    const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const credentials = [
      `--client-certificate=${work.file('jane.crt', Buffer.from(encoded, 'base64').toString())}`,
      `--client-key=${work.file('jane.key', key)}`,
    ];
    const config = work.file('jane.kubeconfig', readFileSync(work.kubeconfig, 'utf8'));
    const asJane = ['--kubeconfig', config];
    await work.run([...asJane, 'config', 'set-credentials', 'jane', '--embed-certs=true', ...credentials]);
    const shown = await work.run([...asJane, '--user=jane', 'auth', 'whoami']);
    assert.match(shown, /Username +jane/);
    assert.match(shown, /Groups +\[crew system:authenticated\]/);
  });

  test('deny denies, and an approved request cannot be denied', async () => {
    const name = await ask('denied');
    assert.equal(
      await work.run(`certificate deny ${name}`),
      `certificatesigningrequest.certificates.k8s.io/${name} denied\n`,
    );
    assert.equal(await state(name), 'Denied');
    assert.match(
      await work.fail(`certificate approve ${name}`),
      /certificate signing request "[^"]*" is already Denied/,
    );
  });

  test('approval needs permission on the signer', async () => {
    const carol = `carol-${work.namespace}`;
    const name = await ask('guarded');
    const other = await ask('other', 'other.com/signer');
    const role = `approver-${work.namespace}`;
    const rules = [
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests'],
        verbs: ['get'],
      },
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests/approval'],
        verbs: ['update'],
      },
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['signers'],
        resourceNames: ['example.com/*'],
        verbs: ['approve'],
      },
    ];
    const object = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: role },
      rules,
    };
    await work.run('create -f -', JSON.stringify(object));
    await work.run(`create clusterrolebinding ${role} --clusterrole=${role} --user=${carol}`);
    try {
      await untilAllowed(work, `update csr --subresource=approval --as ${carol}`);
      await work.run(`certificate approve ${name} --as ${carol}`);
      assert.equal(await state(name), 'Approved');
      assert.equal(
        await work.fail(`certificate approve ${other} --as ${carol}`),
        `Error from server (Forbidden): certificatesigningrequests.certificates.k8s.io "${other}" is forbidden: user not permitted to approve requests with signerName "other.com/signer"\n`,
      );
    } finally {
      await work.try(`delete clusterrole,clusterrolebinding ${role}`);
    }
  });
});
