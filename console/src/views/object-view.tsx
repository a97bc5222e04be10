// An object: overview, YAML, fields, events, graph, blame.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { JsonValue } from '../../../src/codec/json/json-value.ts';
import { encodeYaml } from '../../../src/codec/yaml/encode.ts';
import { type Kind, kindKey } from '../api/discovery.ts';
import { type ApiObject, withoutManagedFields } from '../api/objects.ts';
import { messageOf, useApp } from '../state/app.ts';
import type { KeyCommand } from '../state/keyboard.ts';
import { LiveObject } from '../state/live-object.ts';
import { kindRoute, objectRoute } from '../state/router.ts';
import { Empty, Notice, Tabs } from '../ui/elements.tsx';
import { YamlText } from '../ui/yaml-text.tsx';
import { ObjectAccess } from './object-access.tsx';
import { ObjectBlame } from './object-blame.tsx';
import { ObjectEdit } from './object-edit.tsx';
import { ObjectEvents } from './object-events.tsx';
import { ObjectFields } from './object-fields.tsx';
import { ObjectGraph } from './object-graph.tsx';
import { ObjectHistory } from './object-history.tsx';
import { ObjectOverview } from './object-overview.tsx';

interface ObjectTabProps {
  readonly object: ApiObject;
  readonly kind: Kind;
  readonly live: LiveObject;
}

const tabs: readonly { id: string; label: string; render: (props: ObjectTabProps) => ComponentChildren }[] = [
  {
    id: '',
    label: 'Overview',
    render: ({ object, kind }) => <ObjectOverview object={object} kindName={kindKey(kind)} />,
  },
  { id: 'yaml', label: 'YAML', render: ({ object }) => <ObjectYaml object={object} /> },
  { id: 'edit', label: 'Edit', render: ({ live }) => <ObjectEdit live={live} /> },
  {
    id: 'fields',
    label: 'Fields',
    render: ({ object, kind }) => <ObjectFields object={object} kind={kind} />,
  },
  { id: 'events', label: 'Events', render: ({ object }) => <ObjectEvents object={object} /> },
  { id: 'graph', label: 'Graph', render: ({ object, kind }) => <ObjectGraph object={object} kind={kind} /> },
  { id: 'blame', label: 'Blame', render: ({ object }) => <ObjectBlame object={object} /> },
  { id: 'access', label: 'Who may', render: ({ live }) => <ObjectAccess live={live} /> },
  { id: 'history', label: 'History', render: () => null },
];

function ObjectYaml({ object }: { object: ApiObject }) {
  return (
    <YamlText
      text={encodeYaml(withoutManagedFields(object) as unknown as JsonValue).trimEnd()}
      label="YAML"
    />
  );
}

export function ObjectView({ kind, namespace, name }: { kind: Kind; namespace: string; name: string }) {
  const app = useApp();
  const identity = app.identity.value;
  const live = useMemo(
    () => new LiveObject(app.session, app.stream, kind, namespace, name),
    [app, kind, namespace, name, identity],
  );
  useEffect(() => () => live.close(), [live]);
  const { query } = app.router.route.value;
  const tab = tabs.find(({ id }) => id === (query.tab ?? '')) ?? tabs[0]!;
  useEffect(() => {
    const onCommand = (command: KeyCommand): boolean => {
      if (command !== 'edit') return false;
      app.router.go(objectRoute(kindKey(kind), namespace, name, { tab: 'edit' }));
      return true;
    };
    app.onCommand = onCommand;
    return () => {
      if (app.onCommand === onCommand) app.onCommand = undefined;
    };
  });
  const object = live.object.value;
  return (
    <section class="page" aria-label={name}>
      <header class="page-head">
        <div class="crumbs">
          <a href={kindRoute(kindKey(kind), namespace ? { ns: namespace } : {})}>{kind.kind}</a>
          {namespace && <span class="muted"> in {namespace}</span>}
        </div>
        <h1>{name}</h1>
        <div class="spacer" />
        {object && !live.isDeleted.value && <DeleteButton live={live} />}
      </header>
      <Tabs
        label="Parts of the object"
        tabs={tabs}
        current={tab.id}
        href={(id) => objectRoute(kindKey(kind), namespace, name, { tab: id })}
      />
      {live.isDeleted.value && <Notice tone="warn">This object was deleted. You see its last state.</Notice>}
      {live.error.value && <Notice tone="bad">{live.error.value.message}</Notice>}
      {tab.id === 'history' ? (
        // An object that was deleted has a history, too.
        <ObjectHistory live={live} />
      ) : object ? (
        tab.render({ object, kind, live })
      ) : (
        !live.error.value && <Empty title="Loading…" />
      )}
    </section>
  );
}

function DeleteButton({ live }: { live: LiveObject }) {
  const app = useApp();
  if (!live.kind.verbs.includes('delete')) return null;
  const remove = async () => {
    if (!confirm(`Delete ${live.kind.kind} ${live.name}?`)) return;
    try {
      await app.session.json(live.path, { method: 'DELETE' });
      app.notify('good', `${live.kind.kind} ${live.name} is deleted`);
    } catch (error) {
      app.notify('bad', messageOf(error));
    }
  };
  return (
    <button type="button" class="danger" onClick={() => void remove()}>
      Delete
    </button>
  );
}
