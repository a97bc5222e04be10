// create and update: reads the object and the options of the request, runs the write pipeline, and sends the result.
import { readWriteOptions } from '../../registry/options/write-options.ts';
import { negotiateObject } from '../../serializers/negotiate.ts';
import { bodyByContentType } from '../../serializers/request-body.ts';
import { type Exchange, readBody } from '../../transport/exchange.ts';
import { sendWritten } from '../responses/send-object.ts';
import { auditObserver } from './audit-request-object.ts';
import type { HandlerContext, Route } from './context.ts';

export async function handleWrite(
  { api, writeExecutor }: HandlerContext,
  exchange: Exchange,
  { target }: Route,
  verb: 'create' | 'update',
): Promise<void> {
  const representation = negotiateObject(exchange, target.resource.definition);
  const { isCustom } = target.resource.definition;
  const body = bodyByContentType(exchange, await readBody(exchange), expectedKind(target), isCustom);
  const optionsKind = verb === 'create' ? 'CreateOptions' : 'UpdateOptions';
  const options = readWriteOptions(exchange, optionsKind, api.metaGroup);
  const { audit } = exchange;
  const observer = audit && auditObserver(audit, target.resource);
  const request = { target, options, input: { verb, body }, ...(observer && { observer }) };
  // An update creates the object if its kind allows create on update: then the response is 201 as well.
  const { object, created } = await writeExecutor.execute(request, exchange.warnings, exchange);
  await sendWritten(exchange, created ? 201 : 200, target.resource, object, representation);
}

/** Custom resources build their schema at its first use, so it is read lazily. */
const expectedKind = ({ resource: { apiVersion, kind, definition } }: Route['target']) => ({
  apiVersion,
  kind,
  get schema() {
    return definition.schema;
  },
});
