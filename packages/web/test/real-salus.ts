import type { AddressInfo } from 'node:net'
import { buildApp } from '../../server/src/app.ts'
import { createHarness } from '../../server/test/harness.ts'
import { changeSettings } from '../../server/test/stored-events.ts'
import type { LinkSite } from './link-site.ts'

export interface RealSalus extends LinkSite {
  /** Providers that the person of the last link is connected to, as the API lists them. */
  listConnected(): Promise<{ slug: string; status: string }[]>
  /** A new user with data of the days before, and a link to their page. */
  openPortal(options?: object): Promise<string>
  /** Sets the origins of the team whose pages may connect people. */
  allowOrigins(origins: string[] | null): Promise<void>
}

const PORTAL_SERIES = [
  ['steps', 'count', 4000],
  ['heartrate', 'bpm', 62],
  ['body_weight', 'kg', 71],
] as const

/**
 * The whole server on stores of its own, with the emulated vendors of sandboxes and the pages of a
 * folder.
 */
export async function startRealSalus(folder: string): Promise<RealSalus> {
  const harness = await createHarness()
  const app = await buildApp({ ...harness.dependencies, pagesFolder: folder })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  let userId = ''
  const ask = async (path: string, body?: object) => {
    const headers = { 'x-service-api-key': harness.apiKey, 'content-type': 'application/json' }
    const method = body === undefined ? 'GET' : 'POST'
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      body: body && JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  return {
    baseUrl,
    openLink: async (options = {}) => {
      userId = await harness.makeUser()
      const answer = await ask('/v2/link/token', { user_id: userId, ...options })
      return (answer as { link_web_url: string }).link_web_url
    },
    openPortal: async (options = {}) => {
      userId = await harness.makeUser('manual')
      const days = [3, 2, 1, 0].map((ago) => harness.clock.now().getTime() - ago * 86_400_000)
      for (const [series, unit, value] of PORTAL_SERIES) {
        const data = days.map((at, index) => ({
          start_date: new Date(at - 60_000).toISOString(),
          end_date: new Date(at).toISOString(),
          value: value + index,
          unit,
        }))
        const body = { stage: 'daily', provider: 'manual', data }
        await ask(`/v2/timeseries/${userId}/${series}`, body)
      }
      const path = `/v2/user/${userId}/create_portal_url`
      return ((await ask(path, { context: 'launch', ...options })) as { url: string }).url
    },
    listConnected: async () => {
      const answer = await ask(`/v2/user/providers/${userId}`)
      return (answer as { providers: { slug: string; status: string }[] }).providers
    },
    allowOrigins: (link_origins) => changeSettings(harness, { link_origins }),
    close: async () => {
      await app.close()
      await harness.close()
    },
  }
}
