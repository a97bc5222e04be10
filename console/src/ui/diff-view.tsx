// Two texts as a diff.
import { diffLines, withContext } from '../state/line-diff.ts';

const signs = { same: ' ', removed: '−', added: '+' } as const;
const contextLines = 3;

export function DiffView({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = withContext(diffLines(before, after), contextLines);
  if (lines.length === 0) return <p class="muted">No difference.</p>;
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label={label}>
      {lines.map((line, index) =>
        line ? (
          <div key={index} class={line.type}>
            <span class="sign">{signs[line.type]}</span>
            {line.text}
          </div>
        ) : (
          <div key={index} class="gap">
            ⋯
          </div>
        ),
      )}
    </pre>
  );
}
