import type { FastifyRequest } from 'fastify'
import type { App } from '../../platform/http/app-types.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { registerLabAccountRoutes } from './accounts/lab-accounts.routes.ts'
import { registerCompendiumRoutes } from './compendium/compendium.routes.ts'
import { registerLabTestRoutes } from './lab-tests/lab-tests.routes.ts'
import { registerLabRoutes } from './labs/labs.routes.ts'
import { registerMarkerRoutes } from './markers/markers.routes.ts'

export interface LabCatalogRoutesOptions {
  db: Db
  clock: Clock
}

/** Labs, lab accounts, lab tests, markers and the compendium (contract 10). */
export function registerLabCatalogRoutes(app: App, { db, clock }: LabCatalogRoutesOptions): void {
  const context = ({ scope: { environment } }: FastifyRequest) => ({ db, clock, environment })
  registerLabRoutes(app, db)
  registerLabAccountRoutes(app, db)
  registerLabTestRoutes(app, context)
  registerMarkerRoutes(app, context)
  registerCompendiumRoutes(app, db)
}
