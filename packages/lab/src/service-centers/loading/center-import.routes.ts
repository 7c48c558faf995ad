import { requireOperator } from '@salus/accounts/teams'
import type { App } from '@salus/kernel/http/app-types'
import type { Db } from '@salus/kernel/postgres/database'
import Type from 'typebox'
import { CenterImportSummary, CentersImport } from './center-import.schema.ts'
import { loadServiceCenters } from './center-loading.service.ts'

/** A list of 100,000 sites has about half of this size. */
const LIST_BODY_LIMIT = 64 * 1024 ** 2

/**
 * Registers the import of service centers. The scope needs the hook of
 * createManagementAuthentication.
 */
export function registerCenterImportRoutes(app: App, { db }: { db: Db }): void {
  app.put(
    '/v1/service_centers',
    {
      bodyLimit: LIST_BODY_LIMIT,
      schema: {
        operationId: 'loadServiceCenters',
        tags: ['Management'],
        summary: 'Load a list of service centers',
        description:
          'Loads sites of laboratories from a CSV file. A file with a problem is refused as a whole.',
        querystring: Type.Object({
          dry_run: Type.Optional(
            Type.Boolean({
              description: 'Whether to report what would change without changing anything.',
            }),
          ),
        }),
        body: CentersImport,
        'x-body-example': {
          csv: 'lab,site_code,name,first_line,city,state,zip_code\nquest,PHX1,Downtown,1 Main St,Phoenix,AZ,85004\n',
        },
        response: { 200: CenterImportSummary },
      },
      onRequest: ({ managementKey }) => requireOperator(db, managementKey),
    },
    ({ body, query }) => loadServiceCenters(db, body.csv, query.dry_run ?? false),
  )
}
