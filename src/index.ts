// The public API of the package: embeds a server in a Node process.

export { MovableClock } from './base/clock.ts';
export { type ClusterAccess, plainAccess } from './cli/cluster/access.ts';
export { Connection } from './cli/cluster/connection.ts';
export { ClusterReader } from './cli/volume/cluster-reader.ts';
export type { AdmissionFunctions, FunctionRequest } from './embed/admission-functions.ts';
export { ApiClient, type KindName } from './embed/api-client.ts';
export { CachedInformer, type CacheHandlers } from './embed/cached-informer.ts';
export type { EmbeddedUser, EmbedOptions } from './embed/embed-options.ts';
export type { EmbeddedKind } from './embed/kind-definition.ts';
export type { ManifestSource } from './embed/manifests.ts';
export type { ObjectEvent } from './embed/object-events.ts';
export {
  type ApplyParameters,
  type DeleteParameters,
  type ListParameters,
  type ObjectFilter,
  type ObjectList,
  type ObjectName,
  type PatchParameters,
  ResourceClient,
  type TypedObject,
  type WatchParameters,
  type WriteParameters,
} from './embed/resource-client.ts';
export { type EmbeddedServer, type Snapshot, startServer, type UserAccess } from './embed/start-server.ts';
export { ApiError, type WireStatus } from './errors/status.ts';
export type { ApiObject, ObjectMetadata } from './kind/api-object.ts';
export { type KeepOptions, type KeptVolume, keepVolume } from './volumes/keep-volume.ts';
export { renderVolume } from './volumes/render-volume.ts';
export { TokenKeeper } from './volumes/token-keeper.ts';
export { type RenderedVolume, type VolumeFile, VolumeProblem } from './volumes/volume-files.ts';
export type { VolumeReader } from './volumes/volume-reader.ts';
export { writeVolume } from './volumes/write-volume.ts';
