// Admission: the interface of an admission plugin, and the dependencies that plugins are created with.
import type { Features } from '../kind/features/features.ts';
import type { AdmissionContext } from '../registry/verb-context.ts';
import type { AdmissionTarget } from '../registry/write/admission-control.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { AdmissionMetrics } from './admission-metrics.ts';
import type { AdmittedObject, Attributes } from './attributes.ts';
import type { AdmissionOptions } from './options.ts';
import type { QuotaLedger } from './plugins/resource-quota/quota-ledger.ts';

/**
 * A plugin rejects a request by throwing the ApiError that the client gets. `New` and `Old` are the types of the
 * objects in the requests that it handles.
 */
export interface Plugin<
  New extends AdmittedObject = AdmittedObject,
  Old extends AdmittedObject = New | undefined,
> {
  /** kube-apiserver's name of the plugin, as in flags and metrics. */
  readonly name: string;
  /**
   * Whether the plugin takes part in requests for this target. The chain caches the answer; a plugin whose answer changes
   * calls `AdmissionControl.invalidateHandlesCache`.
   */
  handles(target: AdmissionTarget): boolean;
  /** Mutating admission: may change the object. Runs again when a webhook has changed the object afterwards. */
  admit?(attributes: Attributes<New, Old>): void | Promise<void>;
  /** Validating admission: gets the object as it will be stored, defaulted and valid for its kind. */
  validate?(attributes: Attributes<New, Old>): void | Promise<void>;
  /** Drops everything derived from the store, after the store was restored to a snapshot. */
  reset?(): void;
  close?(): void | Promise<void>;
}

/** The plugins of a server, in the order in which they run: those of `anyThread` first. */
export interface Plugins {
  /** They depend only on the store, the authorizer and options, so that a worker thread can run them for a large write. */
  readonly anyThread: readonly Plugin[];
  /** They have state beyond the store (charged quota), or call other servers. */
  readonly servingThread: readonly Plugin[];
}

/** The dependencies of plugins that run on any thread. */
export interface AnyThreadDependencies {
  readonly api: AdmissionContext;
  readonly features: Features;
  readonly metrics: Metrics;
  readonly options: AdmissionOptions;
}

export interface PluginDependencies extends AnyThreadDependencies {
  readonly admissionMetrics: AdmissionMetrics;
  readonly quotaLedger: QuotaLedger;
}
