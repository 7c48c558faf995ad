import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { LabAccountList, LabAccountsQuery } from './accounts/lab-accounts.schema.ts'
import { listLabAccounts } from './accounts/lab-accounts.service.ts'
import { registerCompendiumRoutes } from './compendium/compendium.routes.ts'
import { Lab } from './lab-catalog.schema.ts'
import { registerLabTestRoutes } from './lab-tests/lab-tests.routes.ts'
import { showOpenLabs } from './labs/labs.service.ts'
import { registerMarkerRoutes } from './markers/markers.routes.ts'

/**
 * Registers the routes for labs, lab accounts, lab tests, markers and the compendium
 * (docs/contract/10-labs-and-tests.md).
 */
export function registerLabCatalogRoutes(app: App): void {
  registerLabRoutes(app)
  registerLabAccountRoutes(app)
  registerLabTestRoutes(app)
  registerMarkerRoutes(app)
  registerCompendiumRoutes(app)
}

function registerLabRoutes(app: App): void {
  app.get(
    '/v3/lab_tests/labs',
    {
      schema: {
        operationId: 'listLabs',
        tags: ['Lab tests'],
        summary: 'List labs',
        description:
          'Returns the laboratories of the catalog with their collection methods and sample types.',
        response: { 200: Type.Array(Lab) },
      },
    },
    ({ scope }) => showOpenLabs(scope),
  )
}

function registerLabAccountRoutes(app: App): void {
  app.get(
    '/v3/lab_test/lab_account',
    {
      schema: {
        operationId: 'listLabAccounts',
        tags: ['Lab tests'],
        summary: 'List lab accounts of the team',
        description: 'Returns the accounts at laboratories that the team may order with.',
        querystring: LabAccountsQuery,
        response: { 200: LabAccountList },
      },
    },
    ({ scope, query }) => listLabAccounts(scope, query),
  )
}
