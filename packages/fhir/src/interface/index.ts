import type { App } from '@salus/kernel/http/app-types'
import type { Stores } from '@salus/kernel/scope'
import type { FastifyRequest } from 'fastify'
import { type BulkOptions, registerBulkRoutes } from '../bulk/index.ts'
import { registerTokenRoutes, signInClient, TokenGrants } from '../clients/index.ts'
import { type OrderingOptions, registerOrderingRoutes } from '../ordering/index.ts'
import {
  enforceScopes,
  FHIR_PATH,
  prepareForFhir,
  registerCapabilityRoutes,
  registerDocrefRoute,
  registerEverythingRoute,
  registerReadRoutes,
  registerSearchRoutes,
} from '../reading/index.ts'

type InterfaceOptions = OrderingOptions &
  BulkOptions &
  Pick<Stores, 'db' | 'clickhouse' | 'clock'> & { smartGrants?: TokenGrants }

/**
 * Registers the FHIR R4 interface (docs/contract/19-fhir.md).
 * @param authenticate Signs in a request with a credential of the team, or throws 401.
 */
export async function registerFhirRoutes(
  app: App,
  options: InterfaceOptions,
  authenticate: (request: FastifyRequest) => Promise<void>,
): Promise<void> {
  await app.register(
    async (fhir: App) => {
      prepareForFhir(fhir)
      registerCapabilityRoutes(fhir, options)
      await fhir.register(async (open: App) => {
        registerTokenRoutes(open, options, options.smartGrants ?? new TokenGrants(options))
      })
      await fhir.register(async (scope: App) => {
        protect(scope, options, authenticate)
        registerSearchRoutes(scope, options)
        registerReadRoutes(scope, options)
        registerEverythingRoute(scope, options)
        registerDocrefRoute(scope, options)
        registerBulkRoutes(scope, options)
        registerOrderingRoutes(scope, options)
      })
    },
    { prefix: FHIR_PATH },
  )
}

/** Requires a credential of the team, or the token of a SMART client with the scopes. */
function protect(
  app: App,
  options: InterfaceOptions,
  authenticate: (request: FastifyRequest) => Promise<void>,
): void {
  app.decorateRequest('appUserId', null)
  app.decorateRequest('isByAlias', false)
  app.decorateRequest('smartScopes', null)
  app.addHook('onRequest', async (request) => {
    if (!(await signInClient(options, request))) await authenticate(request)
  })
  app.addHook('onRequest', enforceScopes)
}
