import { EXAMPLE_IDS } from '@salus/contracts/examples'
import type { App } from '@salus/kernel/http/app-types'
import * as schema from './compendium.schema.ts'
import { searchCompendium } from './compendium-search.service.ts'
import { convertTests, searchOrderableTests } from './conversion.service.ts'

const tags = ['Compendium']

/**
 * Tests across laboratories: search, conversion to another laboratory, and what of it can be
 * ordered.
 */
export function registerCompendiumRoutes(app: App): void {
  app.post(
    '/v3/compendium/search',
    {
      config: { isRead: true },
      schema: {
        operationId: 'searchCompendium',
        tags,
        summary: 'Find tests whatever the lab, or what each lab offers for one',
        description:
          '`canonical` takes `query` and a `limit` up to 10; `crosswalk` takes either `query` or `loinc_set_hash` and a `limit` up to 20.',
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
        summary: 'Convert a lab test, or codes of a lab, to another lab',
        description: 'Give exactly one of `lab_test_id` and `provider_ids`.',
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
        summary: 'Find what a lab offers for codes of other labs',
        description: 'For each code the closest tests of the laboratory that is asked for.',
        body: schema.OrderableTestsSearch,
        'x-body-example': { provider_ids: ['001453'], target_lab: 'bioreference' },
        response: { 200: schema.OrderableTests },
      },
    },
    ({ scope, body }) => searchOrderableTests(scope, body),
  )
}
