import { EXAMPLE_IDS } from '@salus/contracts/examples'
import type { App } from '@salus/kernel/http/app-types'
import * as schema from './compendium.schema.ts'
import { searchCompendium } from './compendium-search.service.ts'
import { convertTests, searchOrderableTests } from './conversion.service.ts'

const tags = ['Compendium']

/**
 * Registers the routes that search tests across laboratories and convert them between laboratories.
 */
export function registerCompendiumRoutes(app: App): void {
  app.post(
    '/v3/compendium/search',
    {
      config: { isRead: true },
      schema: {
        operationId: 'searchCompendium',
        tags,
        summary: 'Search the compendium',
        description:
          'Searches for tests. The mode `canonical` finds tests independently of a laboratory, and takes `query` and a `limit` up to 10. The mode `crosswalk` finds what each laboratory offers for one test, and takes either `query` or `loinc_set_hash` and a `limit` up to 20.',
        body: schema.CompendiumSearch,
        'x-body-example': { mode: 'canonical', query: 'glucose' },
        response: { 200: schema.CompendiumAnswer },
      },
    },
    ({ scope, body }) => searchCompendium(scope.db, scope.environment.kind, body),
  )
  app.post(
    '/v3/compendium/convert',
    {
      config: { isRead: true },
      schema: {
        operationId: 'convertCompendium',
        tags,
        summary: 'Convert a lab test or codes of a laboratory to another laboratory',
        description:
          'Finds the orderables of the target laboratory for a lab test, or for the codes of another laboratory. Exactly one of `lab_test_id` and `provider_ids` is required.',
        body: schema.CompendiumConversion,
        'x-body-example': { lab_test_id: EXAMPLE_IDS.labTest, target_lab: 'labcorp' },
        response: { 200: schema.ConversionAnswer },
      },
    },
    ({ scope, body }) => convertTests(scope, body),
  )
  app.post(
    '/v3/compendium/search_orderable_tests',
    {
      config: { isRead: true },
      schema: {
        operationId: 'searchOrderableTests',
        tags,
        summary: 'Find tests of a laboratory for codes of other laboratories',
        description: 'Finds the closest tests of the target laboratory for each code.',
        body: schema.OrderableTestsSearch,
        'x-body-example': { provider_ids: ['001453'], target_lab: 'bioreference' },
        response: { 200: schema.OrderableTests },
      },
    },
    ({ scope, body }) => searchOrderableTests(scope, body),
  )
}
