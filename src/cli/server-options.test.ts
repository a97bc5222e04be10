// Tests of server options from flags.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controllers } from '../controllers/index.ts';
import { isControllerEnabled } from '../controllers/runtime/controller-set.ts';
import { httpPort, serverFlags } from './server-flags.ts';
import { devDefaults, parseServerOptions, serveDefaults } from './server-options.ts';

const dev = (...args: string[]) => parseServerOptions([httpPort, ...serverFlags], devDefaults, args);
const serve = (...args: string[]) => parseServerOptions(serverFlags, serveDefaults, args);

test('dev serves plain HTTP on loopback and all API versions, serve does not', () => {
  const { httpPort, securePort, bindAddress, runtimeConfig, featureGates } = dev();
  assert.deepEqual(
    { httpPort, securePort, bindAddress, runtimeConfig, featureGates },
    {
      httpPort: 8080,
      securePort: 6443,
      bindAddress: '127.0.0.1',
      runtimeConfig: { 'api/all': true },
      featureGates: { AllAlpha: true, AllBeta: true },
    },
  );
  assert.equal(serve().httpPort, undefined);
  assert.deepEqual(serve().runtimeConfig, {});
  assert.deepEqual(serve().featureGates, {});
});

test('flags override the runtime-config of dev, and a repeatable flag adds to it', () => {
  const given = ['--runtime-config=api/alpha=false', '--runtime-config=batch/v1/jobs=false,api/legacy'];
  assert.deepEqual(dev(...given).runtimeConfig, {
    'api/all': true,
    'api/alpha': false,
    'batch/v1/jobs': false,
    'api/legacy': true,
  });
  assert.deepEqual(
    dev('--feature-gates=AllBeta=false,WatchList=true', '--feature-gates=WatchList=false').featureGates,
    {
      AllAlpha: true,
      AllBeta: false,
      WatchList: false,
    },
  );
});

test('--cert-dir defaults to pki in --data-dir', () => {
  assert.equal(dev('--data-dir=/d').certDir, '/d/pki');
  assert.equal(dev('--data-dir=/d', '--cert-dir=/c').certDir, '/c');
});

test('serve has no flag --http-port', () => {
  assert.throws(() => serve('--http-port=80'), /^Error: unknown flag --http-port/);
});

test('a certificate requires its key, and the HTTP and HTTPS ports must differ', () => {
  assert.throws(() => dev('--tls-cert-file=c'), /must be given together/);
  assert.throws(() => dev('--http-port=6443'), {
    message: '--http-port and --secure-port cannot both be 6443',
  });
});

test('a plugin cannot be both enabled and disabled', () => {
  assert.throws(
    () =>
      dev('--enable-admission-plugins=Priority', '--disable-admission-plugins=NamespaceLifecycle,Priority'),
    { message: '[Priority] in enable-admission-plugins and disable-admission-plugins overlapped' },
  );
});

test('--node-stages needs --nodes', () => {
  assert.throws(() => dev('--node-stages=s'), { message: '--node-stages needs --nodes' });
  assert.equal(dev('--node-stages=s', '--nodes=3').nodes, 3);
});

test('a positional argument is rejected', () => {
  assert.throws(() => dev('now'), { message: 'unexpected argument "now"' });
});

test('SPEC rule 6: the warning of a deprecated flag can be suppressed', () => {
  const old = { ...serverFlags[0]!, name: 'old', deprecated: { since: '1.33', advice: 'use another' } };
  const warningsOf = (...args: string[]) => {
    const warnings: string[] = [];
    parseServerOptions([...serverFlags, old], serveDefaults, args, (warning) => warnings.push(warning));
    return warnings;
  };
  assert.deepEqual(warningsOf('--old=orch'), ['Flag --old has been deprecated, use another']);
  assert.deepEqual(warningsOf('--old=orch', '--deprecation-warnings=false'), []);
});

test('--runtime-config cannot disable flowcontrol v1 while priority and fairness is enabled', () => {
  const version = 'flowcontrol.apiserver.orch.io/v1';
  for (const key of ['api/all', 'api/ga', version]) {
    assert.throws(() => serve(`--runtime-config=${key}=false`), {
      message: `--runtime-config=${key}=false conflicts with --enable-priority-and-fairness=true; disable it, or add ${version}=true`,
    });
  }
  serve('--runtime-config=api/ga=false', '--enable-priority-and-fairness=false');
  serve(`--runtime-config=api/ga=false,${version}=true`);
  serve('--runtime-config=api/all=false,api/ga=true');
});

test('--storage etcd and --etcd-servers require each other', () => {
  const message = '--storage etcd and --etcd-servers must be given together';
  assert.throws(() => serve('--storage=etcd'), { message });
  assert.throws(() => serve('--etcd-servers=http://a:2379'), { message });
  assert.throws(() => serve('--storage=etcd', '--etcd-servers=a:2379'), /is not an http:/);
  assert.throws(() => serve('--etcd-certfile=c'), /--etcd-keyfile/);
  const { etcdServers } = serve('--storage=etcd', '--etcd-servers=http://a:2379,https://b:2379');
  assert.deepEqual(etcdServers, ['http://a:2379', 'https://b:2379']);
});

test('--controllers enables controllers by name; -* enables none', () => {
  const running = (flag: string, hasNodes = false) => {
    const selectors = serve(`--controllers=${flag}`).controllers;
    return controllers
      .filter((each) => isControllerEnabled(selectors, each, hasNodes))
      .map(({ name }) => name);
  };
  const names = controllers
    .filter(({ isOptIn, needsNodes }) => !isOptIn && !needsNodes)
    .map(({ name }) => name);
  assert.deepEqual(running('*'), names);
  assert.deepEqual(running('-*'), []);
  assert.deepEqual(running('-*,namespace-controller'), ['namespace-controller']);
  assert.equal(running('*,-namespace-controller').length, names.length - 1);
  assert.deepEqual(running('-*,unmanaged-workload-controller'), ['unmanaged-workload-controller']);
  assert.ok(running('*', true).includes('scheduler'));
  assert.ok(running('*,scheduler').includes('scheduler'));
  assert.ok(dev().controllers.includes('unmanaged-workload-controller'));
  assert.throws(() => running('-nothing'), /"-nothing" is not in the list of known controllers/);
});

test('the renew deadline must be shorter than the lease duration', () => {
  const lease = (...args: string[]) => dev(...args.map((arg) => `--leader-elect-${arg}`));
  assert.equal(lease('lease-duration=6s', 'renew-deadline=5s').leaderElectLeaseDuration, 6_000);
  const tooShort = /--leader-elect-lease-duration must be longer than --leader-elect-renew-deadline/;
  assert.throws(() => lease('lease-duration=10s'), tooShort);
  // Leases store whole seconds.
  assert.throws(() => lease('lease-duration=10900ms', 'renew-deadline=10s'), tooShort);
  const tooSeldom = /--leader-elect-renew-deadline must be longer than --leader-elect-retry-period/;
  assert.throws(() => lease('retry-period=10s'), tooSeldom);
  assert.throws(() => lease('retry-period=0s'), tooSeldom);
});
