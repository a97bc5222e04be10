import { ask, get, type Json, type JsonObject, subject } from '../case.ts';
import { clusterrolebindings, clusterroles, rbacGroup } from './authorization.ts';

/** What the case before has left behind, and times and numbers of what every server has, aside. */
const ofTheServer = ({ items }: JsonObject): Json =>
  (items as JsonObject[])
    .filter(({ metadata }) => bootstrapping((metadata as JsonObject).labels))
    .map(({ metadata, ...rest }) => {
      const {
        uid: _uid,
        resourceVersion: _revision,
        creationTimestamp: _time,
        ...kept
      } = metadata as JsonObject;
      return { ...rest, metadata: { ...kept, managedFields: withoutTimes(kept.managedFields) } };
    });

const bootstrapping = (labels: Json | undefined) =>
  ((labels ?? {}) as JsonObject)['kubernetes.io/bootstrapping'] === 'rbac-defaults';

const withoutTimes = (managedFields: Json | undefined): Json =>
  ((managedFields ?? []) as JsonObject[]).map(({ time: _time, ...entry }) => entry);

const pick = ofTheServer;

export const bootstrapPolicy = subject('bootstrap-policy', [
  ask(
    'the roles and bindings of a new server',
    get(clusterroles(), { pick }),
    get(clusterrolebindings(), { pick }),
    get(`/apis/${rbacGroup}/v1/roles`, { pick }),
    get(`/apis/${rbacGroup}/v1/rolebindings`, { pick }),
  ),
]);
