import type { App } from '../../platform/http/app-types.ts'
import { registerLabAccountRoutes } from './accounts/lab-accounts.routes.ts'
import { registerCompendiumRoutes } from './compendium/compendium.routes.ts'
import { registerLabTestRoutes } from './lab-tests/lab-tests.routes.ts'
import { registerLabRoutes } from './labs/labs.routes.ts'
import { registerMarkerRoutes } from './markers/markers.routes.ts'

/** Labs, lab accounts, lab tests, markers and the compendium (contract 10). */
export function registerLabCatalogRoutes(app: App): void {
  registerLabRoutes(app)
  registerLabAccountRoutes(app)
  registerLabTestRoutes(app)
  registerMarkerRoutes(app)
  registerCompendiumRoutes(app)
}
