import type { App } from '@salus/kernel/http/app-types'
import type { FastifyInstance } from 'fastify'
import {
  FHIR_PATH,
  type FhirOptions,
  prepareForFhir,
  registerCapabilityRoutes,
  registerReadingRoutes,
} from './reading.routes.ts'

/**
 * Registers the FHIR R4 interface (docs/contract/19-fhir.md).
 * @param protect Requires a credential for every route of an app.
 */
export async function registerFhirRoutes(
  app: App,
  options: FhirOptions,
  protect: (app: FastifyInstance) => void,
): Promise<void> {
  await app.register(
    async (fhir: App) => {
      prepareForFhir(fhir)
      registerCapabilityRoutes(fhir, options)
      await fhir.register(async (scope: App) => {
        protect(scope as unknown as FastifyInstance)
        registerReadingRoutes(scope, options)
      })
    },
    { prefix: FHIR_PATH },
  )
}
