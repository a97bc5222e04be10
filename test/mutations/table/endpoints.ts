// Mutations of the rules of names, verbs, parameters and media types.
import { inSection } from '../mutation.ts';

const write = 'src/http/handlers/write.ts';
const dispatch = 'src/http/handlers/dispatch.ts';
const deleteHandler = 'src/http/handlers/delete.ts';
const patch = 'src/http/handlers/patch.ts';
const requestInfo = 'src/request/request-info.ts';
const remove = 'src/registry/verbs/delete.ts';
const deleteOptions = 'src/kind/delete-options.ts';
const writeOptions = 'src/registry/options/write-options.ts';
const negotiate = 'src/serializers/negotiate.ts';
const forms = 'src/serializers/serializers.ts';

export const endpoints = [
  ...inSection('What the service does', [
    {
      rule: '7. a GET with `watch` is a watch',
      file: requestInfo,
      find: "watch !== 'false' && watch !== '0') info.verb = 'watch';",
      replace: "watch === '1') info.verb = 'watch';",
    },
    {
      rule: '7. a PUT is create or update by whether the object exists',
      file: 'src/apis/coordination/lease.ts',
      find: 'allowCreateOnUpdate: true,',
      replace: '',
    },
    {
      rule: '2. subresources are authorized apart from their resource',
      file: 'src/apis/rbac/rule-evaluation.ts',
      find: "return subresource === '' ? resource : `${resource}/${subresource}`;",
      replace: 'return resource;',
    },
  ]),
  ...inSection('Resources: conventions', [
    {
      rule: 'metadata.generation of a DeviceClass moves when its spec does',
      file: 'src/apis/resource/device-strategy.ts',
      find: 'metadata.generation = (old.metadata.generation ?? 0) + 1;',
      replace: 'metadata.generation = old.metadata.generation ?? 0;',
    },
    {
      rule: 'chunked lists carry continue and remainingItemCount',
      file: 'src/registry/verbs/list.ts',
      find: 'remaining: page.remaining,',
      replace: 'remaining: undefined,',
    },
  ]),
  ...inSection('Resource types covered', [
    {
      rule: 'every kind has the apiVersion and scope of the table, and a list kind `<Kind>List`',
      file: 'src/apis/certificates/clustertrustbundle.ts',
      find: 'namespaced: false,\n    schema: ClusterTrustBundle,',
      replace: 'namespaced: true,\n    schema: ClusterTrustBundle,',
    },
    {
      rule: 'CSIStorageCapacity is namespaced',
      file: 'src/apis/storage/csistoragecapacity.ts',
      find: "plural: 'csistoragecapacities',",
      replace: "plural: 'csistoragecapacities',\n    namespaced: false,",
    },
  ]),
  ...inSection('Endpoints: path shapes', [
    {
      rule: 'no subresource across several resources',
      file: dispatch,
      find: "throw badRequest('Namespace parameter required.');\n    return false;",
      replace: "throw badRequest('Namespace parameter required.');\n    return true;",
    },
  ]),
  ...inSection('Endpoints: operations', [
    {
      rule: 'get, list 200, create 201, update, patch, delete, deletecollection 200, as answered',
      file: write,
      find: 'await sendWritten(exchange, created ? 201 : 200, target.resource, object, representation);',
      replace: 'await sendWritten(exchange, 200, target.resource, object, representation);',
    },
    {
      rule: 'update 201 where it creates',
      file: write,
      find: 'await sendWritten(exchange, created ? 201 : 200, target.resource, object, representation);',
      replace: 'await sendWritten(exchange, 201, target.resource, object, representation);',
    },
    {
      rule: 'patch 201 where it creates',
      file: patch,
      find: 'await sendPatched(exchange, created ? 201 : 200,',
      replace: 'await sendPatched(exchange, 200,',
    },
    {
      rule: 'delete 202',
      file: deleteHandler,
      find: '!gone && options.disablesOrphaning ? 202 : 200',
      replace: '200',
    },
    {
      rule: 'patch in its three forms, also of status',
      file: patch,
      find: '...patchTypes.filter((mediaType) => hasStrategicMerge || mediaType !== strategicMergeType),',
      replace: '...patchTypes.filter((mediaType) => mediaType !== strategicMergeType),',
    },
    {
      rule: 'every operation can be 401',
      file: 'src/request/authenticator.ts',
      find: 'return firstRejection ?? fallback ?? noCredentials;',
      replace: 'return fallback ?? firstRejection ?? noCredentials;',
    },
    {
      rule: 'delete of ResourceQuota answers with the object',
      file: 'src/apis/core/resourcequota-definition.ts',
      find: 'deleteReturnsObject: true,',
      replace: '',
    },
    {
      rule: 'delete of CSIDriver and CSINode answers with the object',
      file: 'src/apis/storage/csinode-definition.ts',
      find: 'deleteReturnsObject: true,',
      replace: '',
    },
    {
      rule: 'other deletes answer with a Status',
      file: 'src/apis/core/configmap.ts',
      find: 'allowUnconditionalUpdate: true,',
      replace: 'allowUnconditionalUpdate: true,\n      deleteReturnsObject: true,',
    },
  ]),
  ...inSection('Endpoints: parameters', [
    {
      rule: 'pretty',
      file: negotiate,
      find: "agent.startsWith('curl')",
      replace: "agent.startsWith('girl')",
    },
    {
      rule: 'fieldSelector and labelSelector of watches',
      file: 'src/registry/verbs/watch.ts',
      find: 'select: selectionOf(resource, labels, fields),',
      replace: 'select: selectionOf(resource, [], fields),',
    },
    {
      rule: 'fieldSelector and labelSelector of lists',
      file: 'src/registry/verbs/list.ts',
      find: 'const select = selectionOf(resource, options.labels, options.fields);',
      replace: 'const select = selectionOf(resource, [], options.fields);',
    },
    {
      rule: 'timeoutSeconds',
      file: 'src/http/handlers/watch.ts',
      find: '? options.timeoutSeconds * 1000',
      replace: '? options.timeoutSeconds * 1_000_000',
    },
    {
      rule: 'dryRun of the other writes',
      file: remove,
      find: 'if (options.dryRun) return { object: stored, gone: true };',
      replace: '',
    },
    {
      rule: 'dryRun of create',
      file: writeOptions,
      find: 'dryRun: dryRun.length > 0,',
      replace: 'dryRun: false,',
    },
    {
      rule: 'fieldManager names the manager',
      file: writeOptions,
      find: 'manager: manager || defaultManagerOf(userAgent),',
      replace: 'manager: defaultManagerOf(userAgent),',
    },
    {
      rule: 'force',
      file: writeOptions,
      find: "...(isApply && booleanParameter(query, 'force') && { force: true }),",
      replace: '',
    },
    {
      rule: 'fieldValidation of update and patch',
      file: writeOptions,
      find: "fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),",
      replace: "fieldValidation: 'Warn',",
    },
    {
      rule: 'gracePeriodSeconds',
      file: deleteOptions,
      find: 'gracePeriodSeconds: raw.gracePeriodSeconds,',
      replace: 'gracePeriodSeconds: undefined,',
    },
    {
      rule: 'propagationPolicy',
      file: deleteOptions,
      find: "return raw.propagationPolicy as ValidatedDeleteOptions['propagationPolicy'];",
      replace: 'return undefined;',
    },
    {
      rule: 'resourceVersion and resourceVersionMatch',
      file: 'src/registry/verbs/list.ts',
      find: "options.resourceVersionMatch === 'Exact' ||",
      replace: "options.resourceVersionMatch === 'NotOlderThan' ||",
    },
  ]),
  ...inSection('Endpoints: per-kind paths', [
    {
      rule: 'Namespace, status; no deletecollection',
      file: 'src/apis/core/namespace.ts',
      find: "verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),",
      replace: '',
    },
    {
      rule: 'Namespace finalize',
      file: 'src/apis/core/namespace.ts',
      find: "verbs: ['update'],",
      replace: "verbs: ['update', 'get'],",
    },
    {
      rule: 'ComponentStatus: only get and list',
      file: 'src/apis/core/componentstatus.ts',
      find: "verbs: ['get', 'list'],",
      replace: "verbs: ['get', 'list', 'delete'],",
    },
    {
      rule: 'CSIDriver',
      file: 'src/apis/storage/csidriver-definition.ts',
      find: 'deleteReturnsObject: true,',
      replace: '',
    },
  ]),
  ...inSection('Media types and encodings', [
    {
      rule: 'JSON by default',
      file: forms,
      find: 'const withoutCbor = [jsonSerializer, yamlSerializer, this.protobuf];',
      replace: 'const withoutCbor = [yamlSerializer, jsonSerializer, this.protobuf];',
    },
    {
      rule: 'YAML for requests and answers',
      file: 'src/serializers/request-body.ts',
      find: "return mediaType === 'application/yaml' ? 'yaml' : 'cbor';",
      replace: "return mediaType === 'application/yaml' ? 'json' : 'cbor';",
    },
    {
      rule: 'Protobuf is not for custom kinds',
      file: forms,
      find: 'const servesUnconverted = (mediaType: string) => mediaType !== this.protobuf.mediaType;',
      replace: "const servesUnconverted = (mediaType: string) => mediaType !== '';",
    },
    {
      rule: 'several types in Accept, Protobuf first',
      file: negotiate,
      find: 'if (!matches(clause, mediaType)) continue;',
      replace: "if (!matches(clause, mediaType) || mediaType.includes('protobuf')) continue;",
    },
    {
      rule: 'the prefix is required',
      file: 'src/codec/protobuf/envelope.ts',
      find: "const prefix = Buffer.from(magic, 'latin1');",
      replace: "const prefix = Buffer.from('', 'latin1');",
    },
    {
      rule: 'no CBOR equivalent of the JSON patches',
      file: patch,
      find: "const findType = (text: string) => types.find((mediaType) => mediaType === text.split(';', 1)[0]);",
      replace:
        "const findType = (text: string) => types.find((mediaType) => mediaType.split('+')[0] === text.split(/[;+]/, 1)[0]);",
    },
    {
      rule: '406',
      file: negotiate,
      find: 'throw noRepresentation(offer.routeTypes);',
      replace: 'return { mediaType: offer.mediaTypes[0]!, target: undefined, pretty };',
    },
  ]),
];
