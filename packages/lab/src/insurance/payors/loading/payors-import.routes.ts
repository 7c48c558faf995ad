import { requireOperator } from '@salus/accounts/teams'
import type { App } from '@salus/kernel/http/app-types'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import Type from 'typebox'
import { PayorImport, PayorImportSummary } from './payors-import.schema.ts'
import { loadPayors } from './payors-loading.service.ts'

/** A list of 50,000 payors has about half of that. */
const BODY_LIMIT = 16 * 1024 ** 2

/** Registers the import of payors. The scope needs the hook of createManagementAuthentication. */
export function registerPayorImportRoutes(app: App, { db, clock }: { db: Db; clock: Clock }): void {
  app.put(
    '/v1/payors',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        operationId: 'loadPayors',
        tags: ['Management'],
        summary: 'Load the list of payors',
        description:
          'Loads all payors of the installation from one CSV file. A file with a problem is refused as a whole.',
        querystring: Type.Object({
          dry_run: Type.Optional(
            Type.Boolean({
              description: 'Whether to report what would change without changing anything.',
            }),
          ),
        }),
        body: PayorImport,
        'x-body-example': {
          csv: 'payor_code,name,first_line,city,state,zip\n10,Desert Mutual,1 Main St,Phoenix,AZ,85004',
        },
        response: { 200: PayorImportSummary },
      },
      onRequest: ({ managementKey }) => requireOperator(db, managementKey),
    },
    ({ body, query }) => loadPayors(db, body.csv, clock.now(), query.dry_run ?? false),
  )
}
