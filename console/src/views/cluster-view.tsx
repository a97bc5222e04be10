// The cluster: nodes with their pods, rollouts in motion, and simulated nodes that fail by a click.
import { useEffect, useMemo } from 'preact/hooks';
import { kindKey, objectPath } from '../api/discovery.ts';
import type { ApiObject } from '../api/objects.ts';
import { type App, messageOf, useApp } from '../state/app.ts';
import { LiveList } from '../state/live-list.ts';
import { objectRoute } from '../state/router.ts';
import { Empty, Notice } from '../ui/elements.tsx';

export function ClusterView() {
  const app = useApp();
  const lists = useMemo(() => openLists(app), [app, app.identity.value, app.kindsByKey.value]);
  useEffect(
    () => () => {
      for (const list of Object.values(lists)) list?.close();
    },
    [lists],
  );
  const { nodes, pods, deployments } = lists;
  for (const list of Object.values(lists)) void list?.version.value;
  if (!nodes || !pods) return <Empty title="The server serves no nodes and pods" />;
  const error = nodes.error ?? pods.error;
  const allPods = [...pods.objects.values()];
  const byName = (one: ApiObject, other: ApiObject) =>
    one.metadata.name.localeCompare(other.metadata.name, 'en', { numeric: true });
  const allNodes = [...nodes.objects.values()].sort(byName);
  const waiting = allPods.filter(({ spec }) => !spec?.nodeName).sort(byName);
  return (
    <section class="page" aria-label="Cluster">
      <header class="page-head">
        <h1>Cluster</h1>
        <span class="muted">
          {allNodes.length} nodes, {allPods.length} pods
        </span>
      </header>
      {error && <Notice tone="bad">{error.message}</Notice>}
      {!error && !nodes.isLoading && allNodes.length === 0 && (
        <Empty title="No nodes">Start the server with --nodes 3 to simulate some.</Empty>
      )}
      <div class="nodes">
        {allNodes.map((node) => (
          <NodeCard
            key={node.metadata.uid}
            node={node}
            pods={allPods.filter(({ spec }) => spec?.nodeName === node.metadata.name).sort(byName)}
          />
        ))}
      </div>
      {waiting.length > 0 && (
        <>
          <h2>Pods without a node</h2>
          <Pods pods={waiting} />
        </>
      )}
      <h2>Rollouts</h2>
      <Rollouts deployments={deployments ? [...deployments.objects.values()].sort(byName) : []} />
    </section>
  );
}

function openLists(app: App) {
  const open = (key: string) => {
    const kind = app.kindsByKey.value.get(key);
    return kind && new LiveList(app.session, app.stream, kind);
  };
  return { nodes: open('nodes'), pods: open('pods'), deployments: open('deployments.apps') };
}

const isReady = ({ status }: ApiObject) =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;

function NodeCard({ node, pods }: { node: ApiObject; pods: readonly ApiObject[] }) {
  const app = useApp();
  const { simulatedNodeLabel, failedNodeAnnotation } = app.session.info.names;
  const { name, labels = {}, annotations = {} } = node.metadata;
  const isSimulated = labels[simulatedNodeLabel] === 'true';
  const isFailed = annotations[failedNodeAnnotation] === 'true';
  const ready = isReady(node);
  const isCordoned = node.spec?.unschedulable === true;
  const state = isFailed ? 'failed' : ready ? 'ready' : 'not ready';
  const patch = async (change: object, done: string) => {
    const kind = app.kindsByKey.value.get('nodes')!;
    try {
      await app.session.json(`${objectPath(kind, '', name)}?fieldManager=orch-console`, {
        method: 'PATCH',
        body: JSON.stringify(change),
        contentType: 'application/merge-patch+json',
      });
      app.notify('good', done);
    } catch (error) {
      app.notify('bad', messageOf(error));
    }
  };
  const setFailed = (failed: boolean) =>
    patch(
      { metadata: { annotations: { [failedNodeAnnotation]: failed ? 'true' : null } } },
      `${name} ${failed ? 'fails' : 'recovers'}`,
    );
  return (
    <article class={`node-card ${isFailed || !ready ? 'down' : ''}`} aria-label={name}>
      <header>
        <a href={objectRoute('nodes', '', name)}>{name}</a>
        <span class={`status ${isFailed ? 'bad' : ready ? 'good' : 'warn'}`}>
          {state}
          {isCordoned ? ', cordoned' : ''}
        </span>
      </header>
      <Pods pods={pods} />
      <footer>
        <span class="muted">{pods.length} pods</span>
        <div class="spacer" />
        <button
          type="button"
          onClick={() =>
            void patch(
              { spec: { unschedulable: isCordoned ? null : true } },
              `${name} ${isCordoned ? 'takes pods again' : 'is cordoned'}`,
            )
          }
        >
          {isCordoned ? 'Uncordon' : 'Cordon'}
        </button>
        {isSimulated && (
          <button type="button" class={isFailed ? '' : 'danger'} onClick={() => void setFailed(!isFailed)}>
            {isFailed ? 'Recover' : 'Fail'}
          </button>
        )}
      </footer>
    </article>
  );
}

const phaseTones: Readonly<Record<string, string>> = {
  Running: 'good',
  Succeeded: 'done',
  Failed: 'bad',
  Pending: 'warn',
};

function Pods({ pods }: { pods: readonly ApiObject[] }) {
  if (pods.length === 0) return <p class="muted">No pods.</p>;
  return (
    <ul class="pods">
      {pods.map((pod) => {
        const { name, namespace = '', deletionTimestamp, uid } = pod.metadata;
        const phase = deletionTimestamp ? 'Terminating' : String(pod.status?.phase ?? 'Unknown');
        const tone = phase === 'Running' && !isReady(pod) ? 'warn' : (phaseTones[phase] ?? 'warn');
        return (
          <li key={uid}>
            <a
              class={`pod ${tone}`}
              href={objectRoute('pods', namespace, name)}
              title={`${namespace}/${name}: ${phase}`}
            >
              <span class="hidden">
                {name} {phase}
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function Rollouts({ deployments }: { deployments: readonly ApiObject[] }) {
  if (deployments.length === 0) return <p class="muted">No Deployments.</p>;
  return (
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">Deployment</th>
          <th scope="col">Progress</th>
          <th scope="col">Updated</th>
          <th scope="col">Available</th>
        </tr>
      </thead>
      <tbody>
        {deployments.map(({ metadata, spec, status }) => {
          const desired = Number(spec?.replicas ?? 1);
          const updated = Number(status?.updatedReplicas ?? 0);
          const available = Number(status?.availableReplicas ?? 0);
          const { name, namespace = '' } = metadata;
          return (
            <tr key={metadata.uid}>
              <td>
                <a href={objectRoute(kindKey({ group: 'apps', resource: 'deployments' }), namespace, name)}>
                  {name}
                </a>{' '}
                <span class="muted">{namespace}</span>
              </td>
              <td>
                <progress
                  aria-label={`${name} updated and available`}
                  max={Math.max(1, desired)}
                  value={Math.min(updated, available)}
                />
              </td>
              <td class="number">
                {updated} of {desired}
              </td>
              <td class="number">
                {available} of {desired}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
