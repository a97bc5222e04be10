// Blame: who owns each line of an object, since when, and by which verb.
import { computeBlame, type FieldOwner } from '../../../src/cli/blame/blame.ts';
import { ownedLines } from '../../../src/cli/blame/lines.ts';
import type { JsonObject } from '../../../src/codec/json/json-value.ts';
import type { ApiObject } from '../api/objects.ts';
import { ageOf } from '../state/age.ts';
import { useApp } from '../state/app.ts';
import { Notice } from '../ui/elements.tsx';
import { YamlLine } from '../ui/yaml-text.tsx';

const colorCount = 6;

export function ObjectBlame({ object }: { object: ApiObject }) {
  const app = useApp();
  const blame = computeBlame(object as unknown as JsonObject);
  const lines = ownedLines(blame.root);
  const colorOf = (owner: FieldOwner) => `owner-${blame.owners.indexOf(owner) % colorCount}`;
  if (blame.owners.length === 0) return <Notice tone="info">No manager owns fields of this object.</Notice>;
  return (
    <>
      <ul class="owners" aria-label="Field managers">
        {blame.owners.map((owner) => (
          <li key={`${owner.manager} ${owner.operation} ${owner.subresource}`} class={colorOf(owner)}>
            <strong>{owner.manager}</strong> {operationText(owner)}
            {owner.time ? `, ${ageOf(owner.time, app.now.value)} ago` : ''}
          </li>
        ))}
      </ul>
      <div class="blame" tabIndex={0} role="region" aria-label="Field managers of each line">
        <table>
          <thead>
            <tr>
              <th scope="col">Manager</th>
              <th scope="col">Verb</th>
              <th scope="col">Since</th>
              <th scope="col">Line</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ text, owners, continues }, index) => {
              const [owner] = owners;
              return (
                <tr key={index} class={owner ? colorOf(owner) : 'unowned'}>
                  <td>{owner && !continues ? owners.map(({ manager }) => manager).join(', ') : ''}</td>
                  <td>{owner && !continues ? operationText(owner) : ''}</td>
                  <td>{owner && !continues ? ageOf(owner.time, app.now.value) : ''}</td>
                  <td class="line">
                    <YamlLine text={text} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

const operationText = ({ operation, subresource }: FieldOwner) =>
  subresource ? `${operation} ${subresource}` : operation;
