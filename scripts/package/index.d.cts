// The types of the package for CommonJS programs: those of the ES module. A value that is a class is a type as well.
import type * as orch from './types/index.d.ts' with { 'resolution-mode': 'import' };

export type * from './types/index.d.ts' with { 'resolution-mode': 'import' };

export declare const keepVolume: typeof orch.keepVolume;
export declare const plainAccess: typeof orch.plainAccess;
export declare const renderVolume: typeof orch.renderVolume;
export declare const startServer: typeof orch.startServer;
export declare const writeVolume: typeof orch.writeVolume;

export declare const ApiClient: typeof orch.ApiClient;
export type ApiClient = orch.ApiClient;
export declare const ApiError: typeof orch.ApiError;
export type ApiError = orch.ApiError;
export declare const CachedInformer: typeof orch.CachedInformer;
export type CachedInformer<T extends orch.TypedObject> = orch.CachedInformer<T>;
export declare const ClusterReader: typeof orch.ClusterReader;
export type ClusterReader = orch.ClusterReader;
export declare const Connection: typeof orch.Connection;
export type Connection = orch.Connection;
export declare const MovableClock: typeof orch.MovableClock;
export type MovableClock = orch.MovableClock;
export declare const ResourceClient: typeof orch.ResourceClient;
export type ResourceClient<T extends orch.TypedObject> = orch.ResourceClient<T>;
export declare const TokenKeeper: typeof orch.TokenKeeper;
export type TokenKeeper = orch.TokenKeeper;
export declare const VolumeProblem: typeof orch.VolumeProblem;
export type VolumeProblem = orch.VolumeProblem;
