import { EXAMPLE_ADDRESS, EXAMPLE_PERSON } from '@salus/contracts/examples'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { Insurance, InsuranceCreate, InsuranceList, InsuranceListQuery } from './policies.schema.ts'
import { createInsurance, getLatestInsurance, listInsurance } from './policies.service.ts'

const { zip: ZIP_CODE, ...PLACE } = EXAMPLE_ADDRESS
const INSURED_ADDRESS = { ...PLACE, zip_code: ZIP_CODE }

const tags = ['Insurance']
/** Any text; text that is not an id matches no user. */
const ByUserId = Type.Object({ user_id: Type.String() })

/** Registers the routes for the insurance of a user. */
export function registerPolicyRoutes(app: App): void {
  app.post(
    '/v2/user/:user_id/insurance',
    {
      schema: {
        operationId: 'createInsurance',
        tags,
        summary: 'Add insurance of a user',
        description:
          'Stores insurance of a user. The newest primary insurance is billed; insurance stored before is not changed.',
        params: ByUserId,
        body: InsuranceCreate,
        'x-body-example': {
          payor_code: 'SAMPLE-10007',
          member_id: 'W123456789',
          group_id: '0045-001',
          relationship: 'Self',
          insured: { ...EXAMPLE_PERSON, address: INSURED_ADDRESS },
        },
        response: { 200: Insurance },
      },
    },
    ({ scope, params, body }) => createInsurance(scope, params.user_id, body),
  )

  app.get(
    '/v2/user/:user_id/insurance',
    {
      schema: {
        operationId: 'listInsurance',
        tags,
        summary: 'List the insurance of a user',
        description: 'Returns all stored insurance, newest first, and marks the billed one.',
        params: ByUserId,
        querystring: InsuranceListQuery,
        response: { 200: InsuranceList },
      },
    },
    ({ scope, params, query }) => listInsurance(scope, params.user_id, query),
  )
  registerLatestPolicyRoute(app)
}

function registerLatestPolicyRoute(app: App): void {
  app.get(
    '/v2/user/:user_id/insurance/latest',
    {
      schema: {
        operationId: 'getLatestInsurance',
        tags,
        summary: 'Read the newest insurance of a user',
        description: 'Returns the newest insurance with the name and address of its payor.',
        params: ByUserId,
        querystring: Type.Object({
          is_primary: Type.Boolean({
            default: true,
            description: 'Whether to return the newest primary insurance, or the newest other one.',
          }),
        }),
        response: { 200: Insurance },
      },
    },
    ({ scope, params, query }) => getLatestInsurance(scope, params.user_id, query.is_primary),
  )
}
