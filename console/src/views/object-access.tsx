// Who may: the subjects that may read or write an object, by which binding, and the console as one of them.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { identityOf, reviewAccess, reviewedVerbs, type SubjectAccess, subjectText } from '../api/access.ts';
import { messageOf, useApp } from '../state/app.ts';
import type { LiveObject } from '../state/live-object.ts';
import { Empty, Notice } from '../ui/elements.tsx';

export function ObjectAccess({ live }: { live: LiveObject }) {
  const app = useApp();
  const found = useSignal<readonly SubjectAccess[] | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    const abort = new AbortController();
    reviewAccess(app.session, live.kind, live.namespace, live.name, abort.signal).then(
      (read) => {
        found.value = read;
      },
      (error: unknown) => {
        if (!abort.signal.aborted) problem.value = messageOf(error);
      },
    );
    return () => abort.abort();
  }, [app, live]);
  if (problem.value) return <Notice tone="bad">{problem.value}</Notice>;
  if (!found.value) return <Empty title="Asking the server…" />;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Who may">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Subject</th>
            {reviewedVerbs.map((verb) => (
              <th key={verb} scope="col">
                {verb}
              </th>
            ))}
            <th scope="col">Because</th>
            <th scope="col">
              <span class="hidden">Try</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {found.value.map(({ subject, access }) => (
            <tr key={`${subject.kind} ${subjectText(subject)}`}>
              <td>
                {subjectText(subject)} <span class="muted">{subject.kind}</span>
              </td>
              {reviewedVerbs.map((verb) => (
                <td key={verb}>{access.get(verb)?.allowed ? '✓' : <span class="muted">–</span>}</td>
              ))}
              <td>
                {[
                  ...new Set(
                    [...access.values()].filter(({ allowed }) => allowed).map(({ reason }) => reason),
                  ),
                ].join('; ')}
              </td>
              <td>
                <button
                  type="button"
                  aria-label={`See as ${subjectText(subject)}`}
                  onClick={() => {
                    const { user, groups } = identityOf(subject);
                    void app.impersonate(user, groups);
                  }}
                >
                  See as
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
