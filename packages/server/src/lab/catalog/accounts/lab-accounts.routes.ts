import type { App } from '../../../platform/http/app-types.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { LabAccountList, LabAccountsQuery } from './lab-accounts.schema.ts'
import { listLabAccounts } from './lab-accounts.service.ts'

export function registerLabAccountRoutes(app: App, db: Db): void {
  app.get(
    '/v3/lab_test/lab_account',
    {
      schema: {
        tags: ['Lab tests'],
        summary: 'List lab accounts of the team',
        querystring: LabAccountsQuery,
        response: { 200: LabAccountList },
      },
    },
    ({ scope: { environment }, query }) => listLabAccounts(db, environment, query),
  )
}
