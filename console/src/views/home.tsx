// The first page: a way to every kind, and where to look first.
import { kindKey } from '../api/discovery.ts';
import { useApp } from '../state/app.ts';
import { kindRoute } from '../state/router.ts';

const firstKinds = ['pods', 'deployments.apps', 'services', 'configmaps', 'nodes', 'events', 'namespaces'];

export function Home({ links }: { links: readonly { view: string; label: string; about: string }[] }) {
  const app = useApp();
  const { version, dialect } = app.session.info;
  const kinds = firstKinds.flatMap((key) => app.kindsByKey.value.get(key) ?? []);
  return (
    <section class="page home" aria-label="Overview">
      <h1>Orch {version}</h1>
      <p class="muted">
        {app.kinds.value.length} kinds, names of the dialect {dialect}. Press <kbd>?</kbd> for the keys.
      </p>
      <h2>Kinds</h2>
      <ul class="cards">
        {kinds.map((kind) => (
          <li key={kindKey(kind)}>
            <a href={kindRoute(kindKey(kind))}>
              <strong>{kind.kind}</strong>
              <span>{kindKey(kind)}</span>
            </a>
          </li>
        ))}
      </ul>
      <h2>Views</h2>
      <ul class="cards">
        {links.map(({ view, label, about }) => (
          <li key={view}>
            <a href={`#/${view}`}>
              <strong>{label}</strong>
              <span>{about}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
