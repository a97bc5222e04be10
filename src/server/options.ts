// ServerOptions: the options of every part of the server and their defaults. Each folder declares its own.

import { type AdmissionOptions, defaultAdmissionOptions } from '../admission/options.ts';
import { type AggregationOptions, defaultAggregationOptions } from '../aggregation/options.ts';
import { type ApiOptions, defaultApiOptions } from '../apis/options.ts';
import { type AuditOptions, defaultAuditOptions } from '../audit/options.ts';
import { type AuthOptions, defaultAuthOptions } from '../auth/options.ts';
import { type ControllerOptions, defaultControllerOptions } from '../controllers/options.ts';
import { defaultFlowControlOptions, type FlowControlOptions } from '../flowcontrol/options.ts';
import { defaultHttpOptions, type HttpOptions } from '../http/options.ts';
import { defaultServiceOptions, type ServiceOptions } from '../registry/service/options.ts';
import { defaultSimulationOptions, type SimulationOptions } from '../simulation/options.ts';
import { defaultStorageOptions, type StorageOptions } from '../store/options.ts';
import { defaultTelemetryOptions, type TelemetryOptions } from '../telemetry/options.ts';
import { defaultWorkerOptions, type WorkerOptions } from '../workers/options.ts';

/** All options of the server, named after upstream's flags where one exists. Durations are in milliseconds. */
export interface ServerOptions
  extends ApiOptions,
    StorageOptions,
    AuthOptions,
    AggregationOptions,
    AdmissionOptions,
    ControllerOptions,
    SimulationOptions,
    FlowControlOptions,
    WorkerOptions,
    ServiceOptions,
    AuditOptions,
    TelemetryOptions,
    HttpOptions {
  /** Directory of the CA, the serving certificate and the admin's client certificate; undefined keeps them in memory. */
  readonly certDir: string | undefined;
  /** How long Events are kept. */
  readonly eventTtl: number;
  /** Warns about deprecated flags. */
  readonly deprecationWarnings: boolean;
}

export const defaultOptions: ServerOptions = {
  ...defaultApiOptions,
  ...defaultStorageOptions,
  ...defaultAuthOptions,
  ...defaultAggregationOptions,
  ...defaultAdmissionOptions,
  ...defaultControllerOptions,
  ...defaultSimulationOptions,
  ...defaultFlowControlOptions,
  ...defaultWorkerOptions,
  ...defaultServiceOptions,
  ...defaultAuditOptions,
  ...defaultTelemetryOptions,
  ...defaultHttpOptions,
  certDir: '.orch/pki',
  eventTtl: 3_600_000,
  deprecationWarnings: true,
};
