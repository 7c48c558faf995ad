import { requireOperator } from '@salus/accounts/teams'
import type { App } from '@salus/kernel/http/app-types'
import { CATALOG_JSON_LIMITS } from '@salus/kernel/http/json-limits'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import Type from 'typebox'
import { CatalogReport } from './catalog-format.schema.ts'
import { loadCatalog } from './catalog-loading.service.ts'

/** A catalog of 100,000 markers has about half of that. */
const CATALOG_BODY_LIMIT = 64 * 1024 ** 2

/** The scope needs the hook of createManagementAuthentication. */
export function registerCatalogImportRoutes(
  app: App,
  { db, clock }: { db: Db; clock: Clock },
): void {
  app.put(
    '/v1/catalog',
    {
      bodyLimit: CATALOG_BODY_LIMIT,
      config: { jsonLimits: CATALOG_JSON_LIMITS },
      schema: {
        operationId: 'loadCatalog',
        tags: ['Management'],
        summary: 'Load a laboratory catalog',
        description:
          'Laboratories, markers, accounts and physicians as one document. What has a problem is not loaded at all.',
        querystring: Type.Object({
          dry_run: Type.Optional(
            Type.Boolean({ description: 'Tells what would change and changes nothing.' }),
          ),
        }),
        // Only that it is an object: what is wrong inside is told all at once, with places.
        body: Type.Object(
          {},
          { additionalProperties: true, description: 'In the format of data/catalog/README.md.' },
        ),
        'x-body-example': {
          labs: [
            {
              slug: 'example_lab',
              name: 'Example Lab',
              first_line_address: '1 Main St',
              city: 'Phoenix',
              state: 'AZ',
              zipcode: '85004',
              collection_methods: ['walk_in_test'],
              sample_types: ['serum'],
            },
          ],
        },
        response: { 200: CatalogReport },
      },
      onRequest: ({ managementKey }) => requireOperator(db, managementKey),
    },
    ({ body, query }) => loadCatalog(db, body, clock.now(), { isDryRun: query.dry_run ?? false }),
  )
}
