// An operator with @kubernetes/client-node: a Deployment for each Website.
import {
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
} from '@kubernetes/client-node';

const fieldManager = 'website-operator';

/** Runs until `stop` is called. */
export async function startOperator(kubeconfig) {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const objects = KubernetesObjectApi.makeApiClient(config);
  const websites = config.makeApiClient(CustomObjectsApi);
  const list = () =>
    websites.listClusterCustomObject({ group: 'example.com', version: 'v1', plural: 'websites' });

  const reconcile = async (website) => {
    const force = true;
    await objects.patch(
      deploymentOf(website),
      undefined,
      undefined,
      fieldManager,
      force,
      PatchStrategy.ServerSideApply,
    );
  };

  const informer = makeInformer(config, '/apis/example.com/v1/websites', list);
  informer.on('add', reconcile);
  informer.on('update', reconcile);
  await informer.start();
  return { stop: () => informer.stop() };
}

/** Owned by the Website: the garbage collector deletes it with its owner. */
function deploymentOf({ metadata: { name, namespace, uid }, spec: { image, replicas } }) {
  const labels = { website: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace,
      ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Website', name, uid, controller: true }],
    },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
    },
  };
}
