// Owners and dependents of an object as a graph.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { collectionPath, type Kind, kindKey, objectPath } from '../api/discovery.ts';
import type { ApiObject } from '../api/objects.ts';
import type { ObjectMetadata } from '../api/table.ts';
import { type App, useApp } from '../state/app.ts';
import { type GraphNode, layOutGraph, nodeHeight, nodeWidth } from '../state/graph-layout.ts';
import { objectRoute } from '../state/router.ts';
import { Empty } from '../ui/elements.tsx';

const maxDependents = 60;
const concurrency = 4;

export function ObjectGraph({ object, kind }: { object: ApiObject; kind: Kind }) {
  const app = useApp();
  const nodes = useSignal<readonly GraphNode[]>([]);
  const isComplete = useSignal(false);
  const { uid } = object.metadata;
  useEffect(() => {
    const abort = new AbortController();
    isComplete.value = false;
    nodes.value = [];
    void readGraph(app, object, kind, abort.signal).then((read) => {
      if (abort.signal.aborted) return;
      nodes.value = read;
      isComplete.value = true;
    });
    return () => abort.abort();
    // The graph of the object, not of each of its revisions.
  }, [app, uid]);
  if (!isComplete.value) return <Empty title="Reading owners and dependents…" />;
  const { nodes: placed, lines, width, height } = layOutGraph(nodes.value);
  return (
    <div class="graph" tabIndex={0} role="region" aria-label="Owners and dependents">
      <svg width={width + 4} height={height + 4} role="img" aria-label={`${placed.length} objects`}>
        {lines.map(({ from, to }) => (
          <path
            key={`${from.uid} ${to.uid}`}
            class="edge"
            d={`M${from.x + nodeWidth + 2} ${from.y + nodeHeight / 2 + 2} C ${from.x + nodeWidth + 32} ${from.y + nodeHeight / 2 + 2}, ${to.x - 28} ${to.y + nodeHeight / 2 + 2}, ${to.x + 2} ${to.y + nodeHeight / 2 + 2}`}
          />
        ))}
        {placed.map((node) => (
          <rect
            key={node.uid}
            class={node.isShown ? 'node shown' : 'node'}
            x={node.x + 2}
            y={node.y + 2}
            rx={6}
            width={nodeWidth}
            height={nodeHeight}
          />
        ))}
      </svg>
      {placed.map((node) => (
        <a
          key={node.uid}
          {...(node.href !== undefined && { href: node.href })}
          class="node-label"
          style={{
            left: `${node.x + 2}px`,
            top: `${node.y + 2}px`,
            width: `${nodeWidth}px`,
            height: `${nodeHeight}px`,
          }}
        >
          <span>{node.name}</span>
          <small>{node.kind}</small>
        </a>
      ))}
      {placed.length === 1 && <p class="muted">Nothing owns this object, and it owns nothing.</p>}
    </div>
  );
}

async function readGraph(app: App, object: ApiObject, kind: Kind, signal: AbortSignal): Promise<GraphNode[]> {
  const owners = await readOwners(app, object.metadata, -1, signal);
  const shown = toNode(kind, object.metadata, 0, true);
  const dependents = await readDependents(app, object.metadata, signal);
  return [...owners, shown, ...dependents];
}

function toNode(kind: Kind, metadata: ObjectMetadata, level: number, isShown = false): GraphNode {
  return {
    uid: metadata.uid,
    kind: kind.kind,
    name: metadata.name,
    level,
    owners: (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    href: objectRoute(kindKey(kind), metadata.namespace ?? '', metadata.name),
    isShown,
  };
}

async function readOwners(
  app: App,
  metadata: ObjectMetadata,
  level: number,
  signal: AbortSignal,
): Promise<GraphNode[]> {
  const found = await Promise.all(
    (metadata.ownerReferences ?? []).map(async (reference) => {
      const kind = app.kindOf(reference.apiVersion, reference.kind);
      const missing: GraphNode = {
        ...{ uid: reference.uid, kind: reference.kind, name: reference.name, level },
        ...{ owners: [], href: undefined, isShown: false },
      };
      if (!kind || level < -4) return [missing];
      try {
        const path = objectPath(kind, kind.isNamespaced ? (metadata.namespace ?? '') : '', reference.name);
        const owner = await app.session.json<ApiObject>(path, { signal });
        return [
          ...(await readOwners(app, owner.metadata, level - 1, signal)),
          toNode(kind, owner.metadata, level),
        ];
      } catch {
        return [missing];
      }
    }),
  );
  return found.flat();
}

/** Lists the metadata of every kind once, and follows the owner references from the object on. */
async function readDependents(
  app: App,
  { uid, namespace = '' }: ObjectMetadata,
  signal: AbortSignal,
): Promise<GraphNode[]> {
  const { metaGroup } = app.session.info.names;
  const accept = `application/json;as=PartialObjectMetadataList;g=${metaGroup};v=v1`;
  const queue = app.kinds.value.filter(
    ({ isNamespaced, resource }) => resource !== 'events' && (namespace === '' || isNamespaced),
  );
  const owned: { kind: Kind; metadata: ObjectMetadata }[] = [];
  const work = async () => {
    for (let kind = queue.shift(); kind && !signal.aborted; kind = queue.shift()) {
      const { items } = await app.session
        .json<{ items: { metadata: ObjectMetadata }[] | null }>(
          `${collectionPath(kind, namespace)}?limit=5000`,
          { accept, signal },
        )
        .catch(() => ({ items: [] }));
      for (const { metadata } of items ?? [])
        if (metadata.ownerReferences?.length) owned.push({ kind, metadata });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const nodes: GraphNode[] = [];
  let generation = new Set([uid]);
  for (let level = 1; generation.size > 0 && nodes.length < maxDependents && level < 6; level++) {
    const next = owned.filter(({ metadata }) =>
      metadata.ownerReferences!.some((owner) => generation.has(owner.uid)),
    );
    nodes.push(...next.map(({ kind, metadata }) => toNode(kind, metadata, level)));
    generation = new Set(next.map(({ metadata }) => metadata.uid));
  }
  return nodes.slice(0, maxDependents);
}
