// `orch auth can-i`: asks the server with access reviews.
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import type { Connection, TakenFor } from '../cluster/connection.ts';
import { findResource } from '../cluster/find-resource.ts';
import { itemsOf, textOf } from '../cluster/loosely.ts';
import { refusal } from '../cluster/refusal.ts';
import { columns } from '../columns.ts';
import type { Terminal } from '../command.ts';
import type { AccessCheck } from './question.ts';

export interface Asker {
  readonly connection: Connection;
  readonly as?: TakenFor;
  readonly terminal: Terminal;
}

/** Prints the decision and its reason. Returns whether access is allowed. */
export async function canI(asker: Asker, question: AccessCheck): Promise<boolean> {
  const { terminal } = asker;
  const { verb, path, isResource, group, resource, subresource, name, namespace } = question;
  const spec = isResource
    ? { resourceAttributes: { verb, group, version: '*', resource, subresource, name, namespace } }
    : { nonResourceAttributes: { verb, path } };
  const { allowed, reason, evaluationError } = await review(asker, 'selfsubjectaccessreviews', spec);
  terminal.out(`${allowed === true ? 'yes' : 'no'}${reason ? `: ${textOf(reason)}` : ''}`);
  if (evaluationError) terminal.err(`evaluation error: ${textOf(evaluationError)}`);
  return allowed === true;
}

/** Prints the rules of the user in a namespace. */
export async function listRules(asker: Asker, namespace: string): Promise<void> {
  const { terminal } = asker;
  const status = await review(asker, 'selfsubjectrulesreviews', { namespace });
  const resources = itemsOf(status.resourceRules)
    .filter(isObject)
    .flatMap((rule) =>
      itemsOf(rule.apiGroups).flatMap((group) =>
        itemsOf(rule.resources).map((resource) => [
          named(textOf(resource), textOf(group)),
          texts(rule.resourceNames),
          texts(rule.verbs),
        ]),
      ),
    );
  const paths = itemsOf(status.nonResourceRules)
    .filter(isObject)
    .flatMap((rule) => itemsOf(rule.nonResourceURLs).map((path) => [textOf(path), '', texts(rule.verbs)]));
  const rows = [...resources, ...paths];
  for (const line of columns([['RESOURCE OR PATH', 'NAMES', 'VERBS'], ...rows])) terminal.out(line);
  if (status.incomplete === true)
    terminal.err('The list is incomplete: the server cannot enumerate all rules.');
  if (status.evaluationError) terminal.err(`evaluation error: ${textOf(status.evaluationError)}`);
}

const texts = (list: JsonObject[string] | undefined) => itemsOf(list).map(textOf).join(' ');

const named = (resource: string, group: string) => (group === '' ? resource : `${resource}.${group}`);

/** Creates a review and returns its status. The API group depends on the dialect. */
async function review({ connection, as }: Asker, plural: string, spec: JsonObject): Promise<JsonObject> {
  const { group, version, kind } = await findResource(connection, plural);
  const path = `/apis/${group}/${version}/${plural}`;
  const answer = await connection.post(path, { apiVersion: `${group}/${version}`, kind, spec }, as);
  const status = answer.body?.status;
  if (answer.code !== 201 || !isObject(status)) throw refusal(path, answer);
  return status;
}
