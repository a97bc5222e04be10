// The minimal object of every resource, for the program that calls every clientset.
import { kubernetes } from '../../src/dialect/index.ts';
import { minimalObjects } from '../support/minimal-objects.ts';
import { operations } from '../support/served-resources.ts';

interface Example {
  /** Undefined for resources that are not stored. */
  readonly name?: string;
  readonly body: object;
}

const authentication = ['tokenreviews', 'selfsubjectreviews'];

/** By `group resource`. */
export function examples(): Record<string, Example> {
  const found: Record<string, Example> = {};
  for (const [key, { name = 'least', body }] of Object.entries(minimalObjects)) {
    const [group = '', resource = ''] = key.split(' ');
    found[`${nameOf(group)} ${resource}`] = { name, body };
  }
  for (const [resource, body] of Object.entries(operations)) {
    if (resource === 'bindings') continue;
    const group = authentication.includes(resource) ? 'authentication' : 'authorization';
    found[`${nameOf(group)} ${resource}`] = { body };
  }
  return JSON.parse(JSON.stringify(found).replaceAll('DOMAIN', 'k8s.io')) as Record<string, Example>;
}

const nameOf = (group: string) => (group === '' ? '' : kubernetes.groupName(group));
