import type { App } from '../../../platform/http/app-types.ts'
import { LabAccountList, LabAccountsQuery } from './lab-accounts.schema.ts'
import { listLabAccounts } from './lab-accounts.service.ts'

export function registerLabAccountRoutes(app: App): void {
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
    ({ scope, query }) => listLabAccounts(scope, query),
  )
}
