import { requireOperator } from '@salus/accounts/teams'
import type { LabPartners } from '@salus/contracts/lab-partners'
import type { App } from '@salus/kernel/http/app-types'
import { CATALOG_JSON_LIMITS } from '@salus/kernel/http/json-limits'
import type { Log } from '@salus/kernel/log'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import Type from 'typebox'
import { CatalogImportSummary } from './catalog-format.schema.ts'
import { loadCatalog } from './catalog-loading.service.ts'
import { checkPhysiciansByRegistry } from './registered-physicians.service.ts'

/** A catalog of 100,000 markers has about half of this size. */
const CATALOG_BODY_LIMIT = 64 * 1024 ** 2

/**
 * Registers the import of a catalog. The scope needs the hook of createManagementAuthentication.
 */
export function registerCatalogImportRoutes(
  app: App,
  { db, clock, log, partners }: { db: Db; clock: Clock; log: Log; partners: LabPartners },
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
          'Loads laboratories, markers, accounts and physicians from one document. A document with a problem is refused as a whole. With a registry of NPIs, physicians who are new are looked up there.',
        querystring: Type.Object({
          dry_run: Type.Optional(
            Type.Boolean({
              description: 'Whether to report what would change without changing anything.',
            }),
          ),
        }),
        // The schema checks only that it is an object; the load reports all problems with their
        // paths.
        body: Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'Catalog in the format of data/catalog/README.md.',
          },
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
        response: { 200: CatalogImportSummary },
      },
      onRequest: ({ managementKey }) => requireOperator(db, managementKey),
    },
    async ({ body, query }) => {
      await checkPhysiciansByRegistry({ db, log }, partners.production.npiRegistry, body)
      return loadCatalog(db, body, clock.now(), { isDryRun: query.dry_run ?? false })
    },
  )
}
