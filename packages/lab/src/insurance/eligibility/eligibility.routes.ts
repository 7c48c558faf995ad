import type { LabPartners } from '@salus/contracts/lab-partners'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { EligibilityCheck, EligibilityRequest } from './eligibility.schema.ts'
import { checkEligibility } from './eligibility.service.ts'

/** Registers the check of eligibility. */
export function registerEligibilityRoute(app: App, partners: LabPartners): void {
  app.post(
    '/v2/user/:user_id/insurance/eligibility',
    {
      schema: {
        operationId: 'checkEligibility',
        tags: ['Insurance'],
        summary: 'Check the eligibility of a user',
        description:
          'Asks the payor of stored insurance, through a clearing house, whether the user is covered and what laboratory services cost. The answer is not stored.',
        params: Type.Object({ user_id: Type.String() }),
        body: EligibilityRequest,
        'x-body-example': { service_type_codes: ['5'] },
        response: { 200: EligibilityCheck },
      },
    },
    ({ scope, params, body }) => checkEligibility(scope, partners, params.user_id, body),
  )
}
