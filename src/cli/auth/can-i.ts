// `orch auth can-i`: asks the server with access reviews.
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import type { Connection } from '../cluster/connection.ts';
import { findResource } from '../cluster/find-resource.ts';
import type { Impersonation } from '../cluster/http-client.ts';
import { itemsOf, textOf } from '../cluster/json-fields.ts';
import { responseError } from '../cluster/response-error.ts';
import { alignColumns } from '../columns.ts';
import type { Terminal } from '../command.ts';
import { type OutputSettings, printDocument } from '../output.ts';
import type { AccessCheck } from './access-check.ts';

export interface ReviewContext {
  readonly connection: Connection;
  readonly as?: Impersonation;
  readonly terminal: Terminal;
  readonly output: OutputSettings['output'];
}

/** Prints the decision and its reason, or the status of the review. Returns whether access is allowed. */
export async function canI(context: ReviewContext, check: AccessCheck): Promise<boolean> {
  const { terminal, output } = context;
  const { verb, path, isResource, group, resource, subresource, name, namespace } = check;
  const spec = isResource
    ? { resourceAttributes: { verb, group, version: '*', resource, subresource, name, namespace } }
    : { nonResourceAttributes: { verb, path } };
  const status = await review(context, 'selfsubjectaccessreviews', spec);
  const { allowed, reason, evaluationError } = status;
  if (output !== 'text') {
    await printDocument(terminal, output, status);
    return allowed === true;
  }
  terminal.out(`${allowed === true ? 'yes' : 'no'}${reason ? `: ${textOf(reason)}` : ''}`);
  if (evaluationError) terminal.err(`evaluation error: ${textOf(evaluationError)}`);
  return allowed === true;
}

/** Prints the rules of the user in a namespace. */
export async function listRules(context: ReviewContext, namespace: string): Promise<void> {
  const { terminal, output } = context;
  const status = await review(context, 'selfsubjectrulesreviews', { namespace });
  if (output !== 'text') return printDocument(terminal, output, status);
  const resources = itemsOf(status.resourceRules)
    .filter(isObject)
    .flatMap((rule) =>
      itemsOf(rule.apiGroups).flatMap((group) =>
        itemsOf(rule.resources).map((resource) => [
          qualifiedResource(textOf(resource), textOf(group)),
          joinTexts(rule.resourceNames),
          joinTexts(rule.verbs),
        ]),
      ),
    );
  const paths = itemsOf(status.nonResourceRules)
    .filter(isObject)
    .flatMap((rule) =>
      itemsOf(rule.nonResourceURLs).map((path) => [textOf(path), '', joinTexts(rule.verbs)]),
    );
  const rows = [...resources, ...paths];
  for (const line of alignColumns([['RESOURCE OR PATH', 'NAMES', 'VERBS'], ...rows])) terminal.out(line);
  if (status.incomplete === true)
    terminal.err('The list is incomplete: the server cannot enumerate all rules.');
  if (status.evaluationError) terminal.err(`evaluation error: ${textOf(status.evaluationError)}`);
}

const joinTexts = (list: JsonObject[string] | undefined) => itemsOf(list).map(textOf).join(' ');

const qualifiedResource = (resource: string, group: string) =>
  group === '' ? resource : `${resource}.${group}`;

/** Creates a review and returns its status. The API group depends on the dialect. */
async function review(
  { connection, as }: ReviewContext,
  plural: string,
  spec: JsonObject,
): Promise<JsonObject> {
  const { group, version, kind } = await findResource(connection, plural);
  const path = `/apis/${group}/${version}/${plural}`;
  const response = await connection.post(path, { apiVersion: `${group}/${version}`, kind, spec }, as);
  const status = response.body?.status;
  if (response.code !== 201 || !isObject(status)) throw responseError(path, response);
  return status;
}
