import type { Environment } from '../../../platform/scope.ts'

/** True when new tests of the team need no operator: in the sandbox, unless its setting says else. */
export function isApprovedAtOnce({ settings, kind: environment }: Environment): boolean {
  return settings.lab_test_auto_approve ?? environment === 'sandbox'
}
