import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { Workspace } from './workspace.ts';

describe('kubectl create token', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('token');
    await work.run('create serviceaccount app');
  });
  after(() => work?.stop());

  const create = async (more = '') => (await work.run(`create token app${more}`)).trim();
  const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

  /** The user that the server authenticates by the token alone. */
  async function whoami(token: string) {
    const config = JSON.parse(await work.run('config view --raw --minify --flatten -o json'));
    config.users[0].user = { token };
    const KUBECONFIG = work.file('kubeconfig', JSON.stringify(config));
    return JSON.parse(await work.run('auth whoami -o json', '', { KUBECONFIG })).status.userInfo;
  }

  test('a token is valid for an hour and authenticates the service account', async () => {
    const token = await create();
    const { iat, exp, sub } = claims(token);
    const user = `system:serviceaccount:${work.namespace}:app`;
    assert.deepEqual([exp - iat, sub], [3600, user]);
    const { username, groups } = await whoami(token);
    assert.equal(username, user);
    assert.deepEqual(groups, [
      'system:serviceaccounts',
      `system:serviceaccounts:${work.namespace}`,
      'system:authenticated',
    ]);
  });

  test('--duration sets the expiration, at least ten minutes', async () => {
    const { iat, exp } = claims(await create(' --duration 30m'));
    assert.equal(exp - iat, 1800);
    assert.match(
      await work.fail('create token app --duration 5m'),
      /^error: failed to create token: TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 300: may not specify a duration less than 10 minutes/,
    );
  });

  test('--audience sets the audience, and the server rejects other audiences', async () => {
    const token = await create(' --audience elsewhere --audience there');
    assert.deepEqual(claims(token).aud, ['elsewhere', 'there']);
    await assert.rejects(whoami(token), /Unauthorized|You must be logged in to the server/);
  });

  test('a bound token is valid while the object exists', async () => {
    await work.run('create secret generic bound');
    const { uid } = (await work.object('secret/bound')).metadata;
    const token = await create(
      ` --bound-object-kind Secret --bound-object-name bound --bound-object-uid ${uid}`,
    );
    assert.deepEqual(claims(token)['kubernetes.io'].secret, { name: 'bound', uid });
    assert.equal((await whoami(token)).username, `system:serviceaccount:${work.namespace}:app`);
    await work.run('delete secret bound');
    assert.match(
      await work.fail('create token app --bound-object-kind Secret --bound-object-name bound'),
      /^error: failed to create token: secrets "bound" not found/,
    );
  });

  test('a token for a missing service account is an error', async () => {
    assert.match(await work.fail('create token nobody'), /serviceaccounts "nobody" not found/);
  });
});
