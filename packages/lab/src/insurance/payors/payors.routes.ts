import { EXAMPLE_ADDRESS } from '@salus/contracts/examples'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { Payor, PayorCreate, PayorQuery, PayorSearch, PayorSearchResult } from './payors.schema.ts'
import * as payors from './payors.service.ts'

const { zip: ZIP_CODE, ...PLACE } = EXAMPLE_ADDRESS
const INSURED_ADDRESS = { ...PLACE, zip_code: ZIP_CODE }

const tags = ['Insurance']

/** Search of payors, twice since clients use GET and POST, and adding a payor of the team's own. */
export function registerPayorRoutes(app: App): void {
  app.get(
    '/v3/insurance/search/payor',
    {
      schema: {
        operationId: 'searchPayors',
        tags,
        summary: 'Search payors',
        description:
          'By name, typing errors forgiven, or by the id that a clearing house knows the payor by. The best match is first.',
        querystring: PayorQuery,
        response: { 200: Type.Array(Payor) },
      },
    },
    ({ scope, query }) => payors.searchPayors(scope, query),
  )

  app.post(
    '/v3/insurance/search/payor',
    {
      config: { isRead: true },
      schema: {
        operationId: 'searchPayorsByBody',
        tags,
        summary: 'Search payors by a body',
        description: 'As the search by parameters, which is the one to use.',
        deprecated: true,
        body: PayorSearch,
        'x-body-example': { insurance_name: 'Aetna' },
        response: { 200: Type.Array(PayorSearchResult) },
      },
    },
    ({ scope, body }) => payors.searchPayorsDeprecated(scope, body),
  )

  app.post(
    '/v3/payor',
    {
      schema: {
        operationId: 'createPayor',
        tags,
        summary: 'Add a payor',
        description:
          'For an insurer that the search does not find. Adding the same one again gives the one that is there.',
        body: PayorCreate,
        'x-body-example': { name: 'Desert Mutual', address: INSURED_ADDRESS },
        response: { 200: Payor },
      },
    },
    ({ scope, body }) => payors.createPayor(scope, body),
  )
}
