// serviceaccount-controller: gives every namespace the ServiceAccount `default`.
import type { ControllerContext } from '../runtime/controller.ts';
import { NamespaceObjectController } from '../runtime/namespace-object-controller.ts';

export class DefaultServiceAccountController extends NamespaceObjectController {
  constructor(context: ControllerContext) {
    super(context, {
      queueName: 'serviceaccount',
      resource: 'serviceaccounts',
      name: 'default',
      fields: {},
      isUpToDate: () => true,
    });
  }
}
