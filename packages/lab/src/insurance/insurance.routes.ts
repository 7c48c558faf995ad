import type { LabPartners } from '@salus/contracts/lab-partners'
import type { App } from '@salus/kernel/http/app-types'
import { registerEligibilityRoute } from './eligibility/eligibility.routes.ts'
import { registerPayorRoutes } from './payors/payors.routes.ts'
import { registerPolicyRoutes } from './policies/policies.routes.ts'

/**
 * Registers the routes for insurance of users and for payors
 * (docs/contract/15-insurance.md#endpoints).
 */
export function registerInsuranceRoutes(app: App, { partners }: { partners: LabPartners }): void {
  registerPolicyRoutes(app)
  registerPayorRoutes(app)
  registerEligibilityRoute(app, partners)
}
