import type { FastifyRequest } from 'fastify'
import type { Environment, Tenant } from '../../../accounts/teams/index.ts'
import type { App } from '../../../platform/http/app-types.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { LabTest } from '../lab-catalog.schema.ts'
import { LabTestPlace } from './lab-tests.schema.ts'
import { approveLabTest } from './lab-tests.service.ts'

export interface LabTestApprovalOptions {
  db: Db
  clock: Clock
  /**
   * The environment that the caller's management key may use.
   * @throws AppError 404 for any other
   */
  findPlace: (
    request: FastifyRequest,
    place: { org_id: string; team_id: string; env: Environment },
  ) => Promise<Tenant>
}

/** The scope needs the hook of createManagementAuthentication. */
export function registerLabTestApprovalRoutes(
  app: App,
  { db, clock, findPlace }: LabTestApprovalOptions,
): void {
  app.post(
    '/v1/org/:org_id/team/:team_id/:env/lab_test/:lab_test_id/approve',
    {
      schema: {
        tags: ['Lab tests'],
        summary: 'Approve a lab test',
        params: LabTestPlace,
        response: { 200: LabTest },
      },
    },
    async (request) => {
      const tenant = await findPlace(request, request.params)
      return approveLabTest({ db, clock, tenant }, request.params.lab_test_id)
    },
  )
}
