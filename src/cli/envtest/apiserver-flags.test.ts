// Tests of the translation of kube-apiserver's flags.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverFlags } from '../server-flags.ts';
import { translateFlags } from './apiserver-flags.ts';

const translate = (...args: string[]) => translateFlags(args, serverFlags);
const defaults = translate().flags;
const added = (...args: string[]) => translate(...args).flags.slice(defaults.length);

test('by default: Kubernetes dialect, memory storage, controllers of namespaces and garbage', () => {
  assert.deepEqual(defaults, [
    '--dialect=kubernetes',
    '--storage=memory',
    '--controllers=namespace-controller,garbage-collector-controller',
    '--namespace-deletion-delay=500ms',
  ]);
});

test('flags that both have are passed on, with attached and separate values', () => {
  assert.deepEqual(added('--secure-port=6443', '--bind-address', '127.0.0.1', '--allow-privileged'), [
    '--secure-port=6443',
    '--bind-address=127.0.0.1',
    '--allow-privileged=true',
  ]);
});

test('flags about etcd have no meaning, unless etcd is the storage', () => {
  assert.deepEqual(added('--etcd-servers=http://127.0.0.1:1', '--insecure-port=0'), []);
  assert.deepEqual(added('--storage=etcd', '--etcd-servers=http://127.0.0.1:1'), [
    '--storage=etcd',
    '--etcd-servers=http://127.0.0.1:1',
  ]);
});

test('unknown flags are ignored and named once', () => {
  const { flags, ignored } = translate('--no-such=1', '--no-such', '2', '--other', '--secure-port=1');
  assert.deepEqual(flags.slice(defaults.length), ['--secure-port=1']);
  assert.deepEqual(ignored, ['no-such', 'other']);
});

test('the certificate folder of the launcher keeps its files', () => {
  const { flags, certDir, hasServingCertificate } = translate('--cert-dir=/c', '--tls-cert-file=/a');
  assert.equal(certDir, '/c');
  assert.ok(hasServingCertificate);
  assert.deepEqual(flags.slice(defaults.length), [
    '--data-dir=/c/orch',
    '--cert-dir=/c/orch/pki',
    '--tls-cert-file=/a',
  ]);
});

test('modes and plugins that Orch does not have are left out of a list', () => {
  const { flags, ignored } = translate(
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NoSuchPlugin',
    '--disable-admission-plugins=ServiceAccount,NoSuchPlugin',
  );
  assert.deepEqual(flags.slice(defaults.length), [
    '--authorization-mode=RBAC',
    '--disable-admission-plugins=ServiceAccount',
  ]);
  assert.deepEqual(ignored, [
    'authorization-mode=Node',
    'enable-admission-plugins=NoSuchPlugin',
    'disable-admission-plugins=NoSuchPlugin',
  ]);
});
