import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EmbedOptions } from '../../src/index.ts';
import { TestServer, testServer } from '../support/client.ts';
import { startServer } from '../support/servers.ts';

type What = Pick<EmbedOptions, 'runtimeConfig' | 'featureGates' | 'emulatedVersion'>;

async function serving(what: Partial<What>, check: (http: TestServer) => Promise<void>): Promise<void> {
  const http = new TestServer();
  http.server = await startServer(what);
  try {
    await check(http);
  } finally {
    await http.server.stop();
  }
}

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
}

/** The versions of a group in discovery, and whether its documents agree. */
async function versionsOf(http: TestServer, group: string): Promise<string[]> {
  const { body } = await http.get('/apis');
  const found = (body.groups as Group[]).find(({ name }) => name === group);
  assert.equal((await http.get(`/apis/${group}`)).code, found ? 200 : 404);
  return found?.versions.map(({ version }) => version) ?? [];
}

async function resourcesOf(http: TestServer, version: string): Promise<string[]> {
  const { body } = await http.get(`/${version === 'v1' ? 'api' : 'apis'}/${version}`);
  return (body.resources as { name: string }[] | undefined)?.map(({ name }) => name) ?? [];
}

const classes = (version: string) => `/apis/resource.orch.io/${version}/deviceclasses`;
const bundles = '/apis/certificates.orch.io/v1beta1/clustertrustbundles';

describe('SPEC levels', () => {
  const http = testServer();

  test('stable versions are on by default', async () => {
    assert.equal((await http.get('/apis/apps/v1/deployments')).code, 200);
    assert.deepEqual(await versionsOf(http, 'coordination.orch.io'), ['v1']);
  });

  test('alpha and beta versions are off by default: not found, not in discovery', async () => {
    assert.deepEqual(await versionsOf(http, 'resource.orch.io'), []);
    for (const version of ['v1alpha3', 'v1beta1', 'v1beta2']) {
      assert.equal((await http.get(classes(version))).code, 404);
      assert.equal((await http.post(classes(version), {})).code, 404);
    }
    assert.doesNotMatch((await http.get('/openapi/v3')).text, /alpha|beta/);
  });
});

const removed: readonly (readonly [release: string, paths: readonly string[]])[] = [
  [
    '1.32',
    [
      'flowcontrol.apiserver.orch.io/v1beta3/flowschemas',
      'flowcontrol.apiserver.orch.io/v1beta3/prioritylevelconfigurations',
    ],
  ],
  ['1.29', ['flowcontrol.apiserver.orch.io/v1beta2/flowschemas']],
  ['1.27', ['storage.orch.io/v1beta1/csistoragecapacities']],
  [
    '1.26',
    ['flowcontrol.apiserver.orch.io/v1beta1/flowschemas', 'autoscaling/v2beta2/horizontalpodautoscalers'],
  ],
  [
    '1.25',
    [
      'batch/v1beta1/cronjobs',
      'discovery.orch.io/v1beta1/endpointslices',
      'events.orch.io/v1beta1/events',
      'autoscaling/v2beta1/horizontalpodautoscalers',
      'policy/v1beta1/poddisruptionbudgets',
      'policy/v1beta1/podsecuritypolicies',
      'node.orch.io/v1beta1/runtimeclasses',
    ],
  ],
  [
    '1.22',
    [
      'admissionregistration.orch.io/v1beta1/mutatingwebhookconfigurations',
      'admissionregistration.orch.io/v1beta1/validatingwebhookconfigurations',
      'apiextensions.orch.io/v1beta1/customresourcedefinitions',
      'apiregistration.orch.io/v1beta1/apiservices',
      'authentication.orch.io/v1beta1/tokenreviews',
      'authorization.orch.io/v1beta1/subjectaccessreviews',
      'certificates.orch.io/v1beta1/certificatesigningrequests',
      'coordination.orch.io/v1beta1/leases',
      'extensions/v1beta1/ingresses',
      'networking.orch.io/v1beta1/ingresses',
      'networking.orch.io/v1beta1/ingressclasses',
      'rbac.authorization.orch.io/v1beta1/clusterroles',
      'scheduling.orch.io/v1beta1/priorityclasses',
      'storage.orch.io/v1beta1/csidrivers',
      'storage.orch.io/v1beta1/csinodes',
      'storage.orch.io/v1beta1/storageclasses',
      'storage.orch.io/v1beta1/volumeattachments',
    ],
  ],
  [
    '1.16',
    ['extensions/v1beta1/networkpolicies', 'extensions/v1beta1/daemonsets', 'apps/v1beta2/daemonsets'],
  ],
];

describe('SPEC removed versions are not found, even with everything served', () => {
  const http = testServer({
    runtimeConfig: { 'api/all': true, 'batch/v1beta1': true },
    featureGates: { AllAlpha: true, AllBeta: true },
  });
  for (const [release, paths] of removed) {
    test(`removed in ${release}`, async () => {
      for (const path of paths) assert.equal((await http.get(`/apis/${path}`)).code, 404, path);
    });
  }
});

describe('--runtime-config', () => {
  test('turns on levels, versions and single resources', async () => {
    const featureGates = { DynamicResourceAllocation: true };
    await serving({ runtimeConfig: { 'api/beta': true }, featureGates }, async (http) => {
      assert.deepEqual(await versionsOf(http, 'resource.orch.io'), ['v1beta1', 'v1beta2']);
      assert.equal((await http.get(classes('v1beta1'))).code, 200);
      assert.equal((await http.get(classes('v1alpha3'))).code, 404);
    });
    const single = { 'resource.orch.io/v1alpha3/deviceclasses': true };
    await serving({ runtimeConfig: single, featureGates }, async (http) => {
      assert.deepEqual(await resourcesOf(http, 'resource.orch.io/v1alpha3'), ['deviceclasses']);
      assert.equal((await http.get('/apis/resource.orch.io/v1alpha3/resourceslices')).code, 404);
    });
  });

  test('--emulated-version serves nothing of later releases', async () => {
    const runtimeConfig = { 'api/all': true };
    const featureGates = { DynamicResourceAllocation: true };
    await serving({ runtimeConfig, featureGates, emulatedVersion: '1.32' }, async (http) => {
      assert.deepEqual(await versionsOf(http, 'resource.orch.io'), ['v1beta1', 'v1alpha3']);
      assert.equal((await http.get('/apis/networking.orch.io/v1/ipaddresses')).code, 404);
      assert.equal((await http.get('/apis/networking.orch.io/v1beta1/ipaddresses')).code, 200);
      const version = (await http.get('/version')).body as unknown as Record<string, string>;
      assert.deepEqual(
        [version.minor, version.emulationMinor, version.minCompatibilityMinor],
        ['33', '32', '31'],
      );
      const text = (await http.get('/metrics')).text;
      assert.match(text, /^orch_feature_enabled\{name="WatchList",stage="BETA"\} 1$/m);
      assert.doesNotMatch(text, /DRADeviceTaints/);
    });
  });

  test('turns off versions and single resources', async () => {
    await serving({ runtimeConfig: { 'batch/v1/jobs': false, 'apps/v1': false } }, async (http) => {
      assert.deepEqual(await resourcesOf(http, 'batch/v1'), ['cronjobs', 'cronjobs/status']);
      assert.equal((await http.get('/apis/batch/v1/jobs')).code, 404);
      assert.deepEqual(await versionsOf(http, 'apps'), []);
      assert.equal((await http.get('/apis/apps/v1/deployments')).code, 404);
    });
  });

  test('objects stored in a version that is not served are read, listed and watched in another', async () => {
    await serving({ runtimeConfig: { 'v1/events': false } }, async (http) => {
      assert.equal((await http.get('/api/v1/events')).code, 404);
      const path = '/apis/events.orch.io/v1/namespaces/default/events';
      const event = {
        metadata: { name: 'e' },
        eventTime: '2026-01-01T00:00:00.000000Z',
        type: 'Normal',
        reason: 'Because',
        action: 'Done',
        reportingController: 'test.example/c',
        reportingInstance: 'c-1',
        regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
      };
      assert.equal((await http.post(path, event)).code, 201);
      assert.equal((await http.get(`${path}/e`)).body.apiVersion, 'events.orch.io/v1');
      assert.deepEqual(
        (await http.get(path)).body.items.map(({ reason }) => reason),
        ['Because'],
      );
      const watch = await http.watch(`${path}?watch=1`);
      assert.equal((await watch.next())?.object.reason, 'Because');
      watch.close();
      assert.match((await http.get('/metrics')).text, /apiserver_storage_objects\{resource="events"\} 1/);
    });
  });

  test('system namespaces are created even if the resource is not served', async () => {
    await serving({ runtimeConfig: { v1: false } }, async (http) => {
      assert.equal((await http.get('/api/v1/namespaces')).code, 404);
      const path = '/apis/coordination.orch.io/v1/namespaces/default/leases';
      assert.equal((await http.post(path, { metadata: { name: 'l' } })).code, 201);
    });
  });

  test('an unknown version or resource prevents the start', async () => {
    await assert.rejects(startServer({ runtimeConfig: { 'batch/v2': true } }), {
      message: 'group version batch/v2 that has not been registered; available: batch/v1',
    });
  });
});

test('--runtime-config batch/v2alpha1, a version of an earlier release, is accepted and serves nothing', async () => {
  await serving({ runtimeConfig: { 'batch/v2alpha1': true } }, async (http) => {
    assert.deepEqual(await versionsOf(http, 'batch'), ['v1']);
    assert.equal((await http.get('/apis/batch/v2alpha1/cronjobs')).code, 404);
  });
});

describe('--feature-gates', () => {
  test('resources behind a feature gate are served only with it', async () => {
    const runtimeConfig = { 'api/all': true };
    await serving({ runtimeConfig }, async (http) => {
      assert.equal((await http.get(bundles)).code, 404);
      assert.deepEqual(await versionsOf(http, 'certificates.orch.io'), ['v1']);
      assert.deepEqual(await versionsOf(http, 'storagemigration.orch.io'), []);
    });
    const featureGates = { ClusterTrustBundle: true, StorageVersionMigrator: true };
    await serving({ runtimeConfig, featureGates }, async (http) => {
      assert.equal((await http.get(bundles)).code, 200);
      assert.deepEqual(await versionsOf(http, 'certificates.orch.io'), ['v1', 'v1beta1', 'v1alpha1']);
      assert.deepEqual(await versionsOf(http, 'storagemigration.orch.io'), ['v1alpha1']);
    });
    await serving({ featureGates }, async (http) => assert.equal((await http.get(bundles)).code, 404));
  });

  test('streaming lists need WatchList, which is off by default', async () => {
    const maps = '/api/v1/namespaces/default/configmaps';
    const asked = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const off =
      'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
    for (const featureGates of [{}, { AllBeta: true, WatchList: false }]) {
      await serving({ featureGates }, async (http) => {
        const refused = await http.get(`${maps}?watch=1&${asked}`);
        assert.equal(refused.code, 422);
        assert.equal(refused.body.message, `ListOptions.meta.orch.io "" is invalid: ${off}`);
        const { message } = (await http.get(`${maps}?watch=1&sendInitialEvents=false&continue=x`)).body;
        assert.match(message, /requires setting resourceVersionMatch to NotOlderThan/);
        assert.match(message, /unless the WatchList feature gate is enabled\]$/);
        const listed = await http.get(`${maps}?${asked}&resourceVersion=0`);
        assert.match(listed.body.message, /sendInitialEvents is forbidden for list$/);
        assert.equal((await http.delete(`${maps}?sendInitialEvents=true`)).code, 422);
      });
    }
    await serving({ featureGates: { WatchList: true } }, async (http) => {
      const watch = await http.watch(
        `${maps}?watch=1&${asked}&allowWatchBookmarks=1&fieldSelector=metadata.name=x`,
      );
      assert.equal((await watch.next())?.type, 'BOOKMARK');
      watch.close();
    });
  });

  test('without WatchList no bookmark ends the initial events', async () => {
    await serving({}, async (http) => {
      const maps = await http.namespace();
      await http.post(maps, { metadata: { name: 'a' } });
      const watch = await http.watch(`${maps}?watch=1&allowWatchBookmarks=1&timeoutSeconds=1&continue=x`);
      const events = watch.rest();
      http.server.clock.advance(2_000);
      assert.ok((await events).every(({ type }) => type !== 'BOOKMARK'));
    });
  });

  test('/metrics has the enabled feature gates', async () => {
    await serving({ featureGates: { AllAlpha: true, WatchList: true } }, async (http) => {
      const { text } = await http.get('/metrics');
      assert.match(text, /^orch_feature_enabled\{name="CBORServingAndStorage",stage="ALPHA"\} 1$/m);
      assert.match(text, /^orch_feature_enabled\{name="WatchList",stage="BETA"\} 1$/m);
      assert.match(text, /^orch_feature_enabled\{name="ClusterTrustBundle",stage="BETA"\} 0$/m);
      assert.match(text, /^orch_feature_enabled\{name="ElasticIndexedJob",stage=""\} 1$/m);
    });
  });

  test('the beta of aggregated discovery is gone unless AggregatedDiscoveryRemoveBetaType is off', async () => {
    const accept = 'application/json;g=apidiscovery.orch.io;v=v2beta1;as=APIGroupDiscoveryList';
    await serving({}, async (http) => assert.equal((await http.get('/apis', { accept })).code, 406));
    await serving({ featureGates: { AggregatedDiscoveryRemoveBetaType: false } }, async (http) => {
      assert.equal((await http.get('/apis', { accept })).code, 200);
    });
  });

  test('an unknown gate, or a locked gate set to the other value, prevents the start', async () => {
    await assert.rejects(startServer({ featureGates: { Nope: true } }), /unrecognized feature gate: Nope/);
    await assert.rejects(startServer({ featureGates: { ElasticIndexedJob: false } }), /is locked to true/);
  });
});
