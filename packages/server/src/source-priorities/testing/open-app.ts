import assert from 'node:assert/strict'
import { createContractCheck } from '../../../test/contract-check.ts'
import type { Harness } from '../../../test/harness.ts'
import { buildApp } from '../../app.ts'
import type { App } from '../../platform/http/app-types.ts'
import { createMetrics } from '../../platform/http/metrics.ts'
import { registerMergedActivityRoutes } from '../../summaries/merged-activity/merged-activity.routes.ts'
import { createTeamAuthentication } from '../../teams/index.ts'
import { registerMergedTimeseriesRoutes } from '../../timeseries/index.ts'
import { registerSourcePriorityRoutes } from '../index.ts'

type Method = 'GET' | 'PATCH' | 'PUT' | 'POST'

export interface MergingApp {
  /** An answer, which the document of the API must allow. */
  call(
    method: Method,
    url: string,
    body?: unknown,
    apiKey?: string,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  ): Promise<{ status: number; body: any }>
  close(): Promise<void>
}

const ROUTES = [
  ['/v2/team/source/priorities', registerSourcePriorityRoutes],
  ['/v2/timeseries/:user_id/steps/merged', registerMergedTimeseriesRoutes],
  ['/v2/summary/activity/:user_id/merged', registerMergedActivityRoutes],
] as const

/** The application with the routes about several sources, on the stores of the harness. */
export async function openMergingApp(harness: Harness): Promise<MergingApp> {
  const app: App = await buildApp({ ...harness.dependencies, registry: createMetrics() })
  const { db, clock, config } = harness.dependencies
  const { authenticate } = createTeamAuthentication({
    db,
    clock,
    aliasesEnabled: config.aliasesEnabled,
  })
  await app.register(async (scope: App) => {
    scope.addHook('onRequest', authenticate)
    for (const [url, register] of ROUTES) {
      if (!app.hasRoute({ method: 'GET', url })) register(scope, harness.dependencies)
    }
  })
  await app.ready()
  const check = createContractCheck((await app.inject({ url: '/openapi.json' })).json())
  return {
    async call(method, url, body, apiKey = harness.apiKey) {
      const response = await app.inject({
        method,
        url,
        headers: { 'x-service-api-key': apiKey },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      const { statusCode: status, headers, body: text } = response
      assert.deepEqual(check.problemsOf(method, url, { status, headers, text }), [], url)
      return { status, body: response.json() }
    },
    close: () => app.close(),
  }
}
