// Creates an object from YAML.
import { useMemo } from 'preact/hooks';
import { apiVersionOf, collectionPath, type Kind, kindKey } from '../api/discovery.ts';
import { useApp } from '../state/app.ts';
import { Editing } from '../state/editing.ts';
import { kindRoute } from '../state/router.ts';
import { EditPanel } from './edit-panel.tsx';

export function CreateView({ kind, namespace }: { kind: Kind; namespace: string }) {
  const app = useApp();
  const inNamespace = namespace || 'default';
  const editing = useMemo(() => {
    const started = new Editing(app.session, collectionPath(kind, inNamespace));
    started.start(template(kind, inNamespace), 'create');
    return started;
  }, [app, kind, inNamespace]);
  return (
    <section class="page" aria-label={`Create ${kind.kind}`}>
      <header class="page-head">
        <h1>Create {kind.kind}</h1>
      </header>
      <EditPanel
        editing={editing}
        onSaved={() => app.router.go(kindRoute(kindKey(kind), kind.isNamespaced ? { ns: inNamespace } : {}))}
      />
    </section>
  );
}

function template(kind: Kind, namespace: string): string {
  const scope = kind.isNamespaced ? `\n  namespace: ${namespace}` : '';
  return `apiVersion: ${apiVersionOf(kind)}\nkind: ${kind.kind}\nmetadata:\n  name: new-${kind.kind.toLowerCase()}${scope}\n`;
}
