import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { Payor, PayorCreate, PayorQuery, PayorSearch, PayorSearchResult } from './payors.schema.ts'
import * as payors from './payors.service.ts'

const tags = ['Insurance']

/** Search of payors, twice since clients use GET and POST, and adding a payor of the team's own. */
export function registerPayorRoutes(app: App): void {
  app.get(
    '/v3/insurance/search/payor',
    {
      schema: {
        tags,
        summary: 'Search payors',
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
        tags,
        summary: 'Search payors by a body',
        deprecated: true,
        body: PayorSearch,
        response: { 200: Type.Array(PayorSearchResult) },
      },
    },
    ({ scope, body }) => payors.searchPayorsDeprecated(scope, body),
  )

  app.post(
    '/v3/payor',
    { schema: { tags, summary: 'Add a payor', body: PayorCreate, response: { 200: Payor } } },
    ({ scope, body }) => payors.createPayor(scope, body),
  )
}
