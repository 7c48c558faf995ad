import { EXAMPLE_ADDRESS } from '@salus/contracts/examples'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { Payor, PayorCreate, PayorQuery, PayorSearch, PayorSearchResult } from './payors.schema.ts'
import * as payors from './payors.service.ts'

const { zip: ZIP_CODE, ...PLACE } = EXAMPLE_ADDRESS
const INSURED_ADDRESS = { ...PLACE, zip_code: ZIP_CODE }

const tags = ['Insurance']

/**
 * Registers the search of payors, by GET and by POST for older clients, and the creation of a
 * team's payor.
 */
export function registerPayorRoutes(app: App): void {
  app.get(
    '/v3/insurance/search/payor',
    {
      schema: {
        operationId: 'searchPayors',
        tags,
        summary: 'Search payors',
        description:
          'Returns the payors that match a name, which may be misspelled, or the id at a clearing house. The best match is first.',
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
        summary: 'Search payors with a request body',
        description: 'Returns the same payors as GET on this path. Use GET instead.',
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
          'Creates a payor that the search does not find. Returns the existing one when the same payor is added again.',
        body: PayorCreate,
        'x-body-example': { name: 'Desert Mutual', address: INSURED_ADDRESS },
        response: { 200: Payor },
      },
    },
    ({ scope, body }) => payors.createPayor(scope, body),
  )
}
