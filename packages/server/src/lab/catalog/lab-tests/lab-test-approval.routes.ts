import type { App } from '../../../platform/http/app-types.ts'
import { ENVIRONMENT_PATH } from '../../../platform/http/environment-path.ts'
import { LabTest } from '../lab-catalog.schema.ts'
import { ManagedLabTest } from './lab-tests.schema.ts'
import { approveLabTest } from './lab-tests.service.ts'

/** What operators do with tests that wait for them; among the routes of managed environments. */
export function registerLabTestApprovalRoutes(app: App): void {
  app.post(
    `${ENVIRONMENT_PATH}/lab_test/:lab_test_id/approve`,
    {
      schema: {
        tags: ['Lab tests'],
        summary: 'Approve a lab test',
        params: ManagedLabTest,
        response: { 200: LabTest },
      },
    },
    ({ scope, params }) => approveLabTest(scope, params.lab_test_id),
  )
}
