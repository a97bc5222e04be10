// Search across kinds: the objects of every kind whose name or labels match.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { collectionPath, type Kind, kindKey } from '../api/discovery.ts';
import type { ObjectMetadata } from '../api/table.ts';
import { useApp } from '../state/app.ts';
import { objectRoute } from '../state/router.ts';
import { parseFilter } from '../state/row-filter.ts';
import { Empty } from '../ui/elements.tsx';

interface Found {
  readonly kind: Kind;
  readonly metadata: ObjectMetadata;
}

const maxFound = 500;
/** Lists that run at the same time: the others wait, so that the server has room for other users. */
const concurrency = 4;
const debounceMs = 200;

export function Search() {
  const app = useApp();
  const text = app.router.route.value.query.q ?? '';
  const found = useSignal<readonly Found[]>([]);
  const searched = useSignal(0);
  const kinds = app.kinds.value.filter(({ resource }) => resource !== 'events');
  useEffect(() => {
    found.value = [];
    searched.value = 0;
    if (text.trim() === '') return;
    const abort = new AbortController();
    const timer = setTimeout(() => void searchKinds(abort.signal), debounceMs);
    const searchKinds = async (signal: AbortSignal) => {
      const queue = [...kinds];
      const matches = parseFilter(text);
      const { metaGroup } = app.session.info.names;
      const accept = `application/json;as=PartialObjectMetadataList;g=${metaGroup};v=v1`;
      const work = async () => {
        for (let kind = queue.shift(); kind && !signal.aborted; kind = queue.shift()) {
          const list = await app.session
            .json<{ items: { metadata: ObjectMetadata }[] | null }>(`${collectionPath(kind)}?limit=5000`, {
              accept,
              signal,
            })
            .catch(() => ({ items: [] }));
          const items = list.items ?? [];
          if (signal.aborted) return;
          const hits = items
            .filter(({ metadata }) =>
              matches({
                name: metadata.name,
                namespace: metadata.namespace ?? '',
                cells: [kind.kind],
                labels: metadata.labels ?? {},
              }),
            )
            .map(({ metadata }) => ({ kind, metadata }));
          searched.value++;
          if (hits.length > 0) found.value = [...found.value, ...hits].slice(0, maxFound);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, work));
    };
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [app, text, kinds.length]);
  const isDone = searched.value >= kinds.length;
  return (
    <section class="page" aria-label="Search">
      <header class="page-head">
        <h1>Search</h1>
        <input
          type="search"
          class="filter grow"
          aria-label="Search all kinds"
          placeholder="name, namespace, key=value, in every kind"
          value={text}
          autoFocus
          onInput={({ currentTarget }) => app.router.setQuery({ q: currentTarget.value })}
        />
        <output class="count">{text.trim() === '' ? '' : `${found.value.length}${isDone ? '' : '…'}`}</output>
      </header>
      {found.value.length === 0 ? (
        <Empty title={text.trim() === '' ? 'Type to search' : isDone ? 'Nothing found' : 'Searching…'}>
          {`${kinds.length} kinds are searched by name, namespace and label.`}
        </Empty>
      ) : (
        <ul class="found">
          {found.value.map(({ kind, metadata }) => (
            <li key={metadata.uid || `${kindKey(kind)}/${metadata.namespace}/${metadata.name}`}>
              <a href={objectRoute(kindKey(kind), metadata.namespace ?? '', metadata.name)}>
                {metadata.name}
              </a>
              <span class="muted">
                {kind.kind}
                {metadata.namespace ? ` in ${metadata.namespace}` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
