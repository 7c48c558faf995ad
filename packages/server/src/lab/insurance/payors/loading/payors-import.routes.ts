import Type from 'typebox'
import { requireOperator } from '../../../../accounts/teams/index.ts'
import type { App } from '../../../../platform/http/app-types.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import type { Clock } from '../../../../platform/time/clock.ts'
import { PayorImport, PayorReport } from './payors-import.schema.ts'
import { loadPayors } from './payors-loading.service.ts'

/** A list of 50,000 payors has about half of that. */
const BODY_LIMIT = 16 * 1024 ** 2

/** The scope needs the hook of createManagementAuthentication. */
export function registerPayorImportRoutes(app: App, { db, clock }: { db: Db; clock: Clock }): void {
  app.put(
    '/v1/payors',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        tags: ['Management'],
        summary: 'Load the list of payors',
        querystring: Type.Object({
          dry_run: Type.Optional(
            Type.Boolean({ description: 'Tells what would change and changes nothing.' }),
          ),
        }),
        body: PayorImport,
        response: { 200: PayorReport },
      },
      onRequest: ({ managementKey }) => requireOperator(db, managementKey),
    },
    ({ body, query }) => loadPayors(db, body.csv, clock.now(), query.dry_run ?? false),
  )
}
