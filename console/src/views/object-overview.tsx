// What an object is: labels, owner, conditions as a timeline.
import { kindKey } from '../api/discovery.ts';
import type { ApiObject, Condition } from '../api/objects.ts';
import { ageOf } from '../state/age.ts';
import { useApp } from '../state/app.ts';
import { kindRoute, objectRoute } from '../state/router.ts';

export function ObjectOverview({ object, kindName }: { object: ApiObject; kindName: string }) {
  const app = useApp();
  const { metadata, status } = object;
  const owner =
    metadata.ownerReferences?.find(({ controller }) => controller) ?? metadata.ownerReferences?.[0];
  const ownerKind = owner && app.kindOf(owner.apiVersion, owner.kind);
  return (
    <div class="overview">
      <dl class="facts">
        <Fact name="Created">
          {metadata.creationTimestamp}{' '}
          <span class="muted">({ageOf(metadata.creationTimestamp, app.now.value)} ago)</span>
        </Fact>
        {metadata.deletionTimestamp && <Fact name="Deletion">{metadata.deletionTimestamp}</Fact>}
        <Fact name="UID">
          <code>{metadata.uid}</code>
        </Fact>
        <Fact name="Revision">
          <code>{metadata.resourceVersion}</code>
        </Fact>
        {owner && (
          <Fact name="Owner">
            {ownerKind ? (
              <a
                href={objectRoute(
                  kindKey(ownerKind),
                  ownerKind.isNamespaced ? (metadata.namespace ?? '') : '',
                  owner.name,
                )}
              >
                {owner.kind} {owner.name}
              </a>
            ) : (
              `${owner.kind} ${owner.name}`
            )}
          </Fact>
        )}
        <Fact name="Labels">
          <Labels labels={metadata.labels ?? {}} kindName={kindName} namespace={metadata.namespace ?? ''} />
        </Fact>
      </dl>
      <h2>Conditions</h2>
      <Conditions conditions={status?.conditions ?? []} />
    </div>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A label leads to the objects of the kind that have it, too. */
function Labels({
  labels,
  kindName,
  namespace,
}: {
  labels: Readonly<Record<string, string>>;
  kindName: string;
  namespace: string;
}) {
  const entries = Object.entries(labels);
  if (entries.length === 0) return <span class="muted">none</span>;
  return (
    <span class="chips">
      {entries.map(([key, value]) => (
        <a key={key} class="chip" href={kindRoute(kindName, { ns: namespace, labels: `${key}=${value}` })}>
          {key}={value}
        </a>
      ))}
    </span>
  );
}

/** Conditions that are bad when they are true. */
const badWhenTrue = /Pressure|Unavailable|Failure|Failed|Stalled|Disruption|NamesNotAccepted|Degraded/;

function Conditions({ conditions }: { conditions: readonly Condition[] }) {
  const app = useApp();
  if (conditions.length === 0) return <p class="muted">This object has no conditions.</p>;
  const timeOf = ({ lastTransitionTime, lastUpdateTime = '' }: Condition) =>
    lastTransitionTime ?? lastUpdateTime;
  const ordered = [...conditions].sort((one, other) => timeOf(other).localeCompare(timeOf(one)));
  return (
    <ol class="timeline">
      {ordered.map((condition) => {
        const { type, status, reason, message } = condition;
        const isGood = (status === 'True') !== badWhenTrue.test(type);
        const tone = status === 'Unknown' ? 'warn' : isGood ? 'good' : 'bad';
        return (
          <li key={type} class={tone}>
            <div>
              <strong>{type}</strong> is {status}
              {reason ? ` · ${reason}` : ''}
              <span class="muted">
                {' '}
                {timeOf(condition) ? `since ${ageOf(timeOf(condition), app.now.value)}` : ''}
              </span>
            </div>
            {message && <p class="muted">{message}</p>}
          </li>
        );
      })}
    </ol>
  );
}
