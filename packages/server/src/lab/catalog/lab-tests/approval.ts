import type { Tenant } from '../../../accounts/teams/index.ts'

/** True when new tests of the team need no operator: in the sandbox, unless its setting says else. */
export function isApprovedAtOnce({ settings, environment }: Tenant): boolean {
  return settings.lab_test_auto_approve ?? environment === 'sandbox'
}
