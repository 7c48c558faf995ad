import type { App } from '@salus/kernel/http/app-types'
import type { FastifyInstance } from 'fastify'
import { type BulkOptions, registerBulkRoutes } from '../bulk/index.ts'
import { type OrderingOptions, registerOrderingRoutes } from '../ordering/index.ts'
import {
  FHIR_PATH,
  prepareForFhir,
  registerCapabilityRoutes,
  registerEverythingRoute,
  registerReadingRoutes,
} from '../reading/index.ts'

/**
 * Registers the FHIR R4 interface (docs/contract/19-fhir.md).
 * @param protect Requires a credential for every route of an app.
 */
export async function registerFhirRoutes(
  app: App,
  options: OrderingOptions & BulkOptions,
  protect: (app: FastifyInstance) => void,
): Promise<void> {
  await app.register(
    async (fhir: App) => {
      prepareForFhir(fhir)
      registerCapabilityRoutes(fhir, options)
      await fhir.register(async (scope: App) => {
        protect(scope as unknown as FastifyInstance)
        registerReadingRoutes(scope, options)
        registerEverythingRoute(scope, options)
        registerBulkRoutes(scope, options)
        registerOrderingRoutes(scope, options)
      })
    },
    { prefix: FHIR_PATH },
  )
}
