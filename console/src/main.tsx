// The web console: starts the session and shows the view of the route.
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { fetchServerInfo, Session } from './api/session.ts';
import { App, AppProvider, applyTheme, useApp } from './state/app.ts';
import { Empty, Notice } from './ui/elements.tsx';
import { ClusterView } from './views/cluster-view.tsx';
import { CreateView } from './views/create-view.tsx';
import { Home } from './views/home.tsx';
import { KindTable } from './views/kind-table.tsx';
import { ObjectView } from './views/object-view.tsx';
import { Search } from './views/search.tsx';
import { ServerView } from './views/server-view.tsx';
import { Shell } from './views/shell.tsx';
import { SignIn } from './views/sign-in.tsx';

const links = [
  { view: 'search', label: 'Search', about: 'Find objects of every kind by name and label.' },
  { view: 'cluster', label: 'Cluster', about: 'Nodes, the pods on them, and rollouts.' },
  { view: 'server', label: 'Server', about: 'Requests, latencies, flow control, store and controllers.' },
];

function Root() {
  const app = useApp();
  if (!app.user.value) return <SignIn />;
  return (
    <Shell links={links}>
      <CurrentView />
    </Shell>
  );
}

function CurrentView() {
  const app = useApp();
  const { view, segments, query } = app.router.route.value;
  const [key = ''] = segments;
  const kind = app.kindsByKey.value.get(key);
  useEffect(() => {
    document.title = kind ? `${kind.kind} · Orch` : 'Orch';
  }, [kind]);
  if (view === 'home') return <Home links={links} />;
  if (view === 'search') return <Search />;
  if (view === 'cluster') return <ClusterView />;
  if (view === 'server') return <ServerView />;
  if (view === 'kind') return kind ? <KindTable kind={kind} /> : <UnknownKind name={key} />;
  if (view === 'object') {
    const [, namespace = '', name = ''] = segments;
    if (!kind) return <UnknownKind name={key} />;
    return <ObjectView kind={kind} namespace={namespace === '-' ? '' : namespace} name={name} />;
  }
  if (view === 'create') {
    return kind ? <CreateView kind={kind} namespace={query.ns ?? ''} /> : <UnknownKind name={key} />;
  }
  return <Empty title="There is no such page" />;
}

function UnknownKind({ name }: { name: string }) {
  const app = useApp();
  return (
    <section class="page">
      <Notice tone="warn">
        The server serves no kind {name}.{' '}
        <button type="button" onClick={() => void app.refreshKinds()}>
          Read the kinds again
        </button>
      </Notice>
    </section>
  );
}

const element = document.getElementById('app')!;
const app = new App(new Session(await fetchServerInfo()));
applyTheme(app.theme.value);
await app.start();
render(
  <AppProvider value={app}>
    <Root />
  </AppProvider>,
  element,
);
