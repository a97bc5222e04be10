// create and update: stores the object in the request body.
import { readWriteOptions } from '../../registry/options/write-options.ts';
import { negotiate } from '../../serializers/negotiate.ts';
import { type Exchange, readBody } from '../../transport/exchange.ts';
import { sendWritten } from '../responses/send-object.ts';
import { observerFor } from './audit-request-object.ts';
import type { HandlerContext, Route } from './context.ts';
import { bodyOfType } from './request-body.ts';

export async function handleWrite(
  { api, writeExecutor }: HandlerContext,
  exchange: Exchange,
  { target }: Route,
  verb: 'create' | 'update',
): Promise<void> {
  const representation = negotiate(exchange, exchange.serializers.objectsOf(target.resource.definition));
  const { isCustom } = target.resource.definition;
  const body = bodyOfType(exchange, await readBody(exchange), expectedKind(target), isCustom);
  const kind = verb === 'create' ? 'CreateOptions' : 'UpdateOptions';
  const options = readWriteOptions(exchange, kind, api.metaGroup);
  const request = { target, options, input: { verb, body }, ...observerFor(exchange, target.resource) };
  const { object, created } = await writeExecutor.execute(request, exchange.warnings);
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
