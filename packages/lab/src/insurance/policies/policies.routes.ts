import { EXAMPLE_ADDRESS, EXAMPLE_PERSON } from '@salus/contracts/examples'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { Insurance, InsuranceCreate, InsuranceList, InsuranceListQuery } from './policies.schema.ts'
import { createInsurance, getLatestInsurance, listInsurance } from './policies.service.ts'

const { zip: ZIP_CODE, ...PLACE } = EXAMPLE_ADDRESS
const INSURED_ADDRESS = { ...PLACE, zip_code: ZIP_CODE }

const tags = ['Insurance']
/** Any text: one that is no id is nobody's. */
const ByUserId = Type.Object({ user_id: Type.String() })

/** Insurance of one person: to add, to list, and the latest. */
export function registerPolicyRoutes(app: App): void {
  app.post(
    '/v2/user/:user_id/insurance',
    {
      schema: {
        operationId: 'createInsurance',
        tags,
        summary: 'Add insurance of a user',
        description: 'The newest primary one is billed. What was stored before stays as it is.',
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
        summary: 'List the insurance of a user, newest first',
        description: 'Everything that was ever added, with which of it is billed.',
        params: ByUserId,
        querystring: InsuranceListQuery,
        response: { 200: InsuranceList },
      },
    },
    ({ scope, params, query }) => listInsurance(scope, params.user_id, query),
  )

  app.get(
    '/v2/user/:user_id/insurance/latest',
    {
      schema: {
        operationId: 'getLatestInsurance',
        tags,
        summary: 'Read the newest insurance of a user',
        description: 'The one that was added last, with the name and address of its payor.',
        params: ByUserId,
        querystring: Type.Object({
          is_primary: Type.Boolean({
            default: true,
            description: 'false: the newest that is not primary.',
          }),
        }),
        response: { 200: Insurance },
      },
    },
    ({ scope, params, query }) => getLatestInsurance(scope, params.user_id, query.is_primary),
  )
}
