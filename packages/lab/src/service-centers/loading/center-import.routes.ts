import { requireOperator } from '@salus/accounts/teams'
import type { App } from '@salus/kernel/http/app-types'
import type { Db } from '@salus/kernel/postgres/database'
import Type from 'typebox'
import { loadServiceCenters } from './center-loading.service.ts'
import { CentersImport, CentersReport } from './centers-report.schema.ts'

/** 100,000 sites have about half of that. */
const LIST_BODY_LIMIT = 64 * 1024 ** 2

/** The scope needs the hook of createManagementAuthentication. */
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
          'Sites of laboratories as the text of a CSV file. What has a problem is not loaded at all.',
        querystring: Type.Object({
          dry_run: Type.Optional(
            Type.Boolean({ description: 'Tells what would change and changes nothing.' }),
          ),
        }),
        body: CentersImport,
        'x-body-example': {
          csv: 'lab,site_code,name,first_line,city,state,zip_code\nquest,PHX1,Downtown,1 Main St,Phoenix,AZ,85004\n',
        },
        response: { 200: CentersReport },
      },
      onRequest: ({ managementKey }) => requireOperator(db, managementKey),
    },
    ({ body, query }) => loadServiceCenters(db, body.csv, query.dry_run ?? false),
  )
}
