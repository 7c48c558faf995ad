import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createLabReportParser } from '../../../lab-report-parser/src/index.ts'
import type { DemoTeam } from '../../../ops/src/demo-team/demo-team.schema.ts'
import { PEOPLE, type PersonName } from '../../../ops/src/demo-team/filling/people.registry.ts'
import { buildApp } from '../../../server/src/app.ts'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { createHarness, type Harness } from '../../../server/test/harness.ts'
import { RunningClock } from '../../../server/test/running-clock.ts'
import { skipBrowserTests } from '../browser.ts'
import type { BrowserFixture, Site } from '../browser-fixture.ts'
import type { VisitOptions } from '../page-visits.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Body = any

/** A real server with one team that tests use, and the console in front of it. */
export interface TeamSite extends Site {
  harness: Harness
  orgId: string
  teamId: string
  managementKey: string
  /**
   * Asks the team API, in the sandbox of the team.
   * @throws Error with the answer that was no success
   */
  ask(method: string, path: string, body?: unknown): Promise<Body>
  /**
   * Asks the management API below the organization.
   * @throws Error with the answer that was no success
   */
  manage(method: string, path: string, body?: unknown): Promise<Body>
  /** Signs the browser of a page in, with the management key of the organization or another one. */
  signIn(page: Page, managementKey?: string): Promise<void>
  /**
   * Opens a page of the console, signed in, and waits for its heading.
   * @param path Below the sandbox of the team, such as `people`; with a slash at its start below
   *   `/console`.
   */
  open(page: Page, path: string): Promise<void>
}

/** One whose team is the demo team. */
export interface ConsoleSite extends TeamSite {
  /** Ids of the people of the demo team (packages/ops/src/demo-team/filling/people.registry.ts). */
  users: Readonly<Record<PersonName, string>>
}

const FILLING_PATIENCE_MS = 150_000

/** Starts the server on stores of its own, with background work and the demo team. */
export async function startConsoleSite(folder: string): Promise<ConsoleSite> {
  const site = await startSite(folder, fill)
  return { ...site, users: await listUsers(site.ask) }
}

/** Starts it with an empty team, which takes a few seconds less. */
export const startEmptySite = (folder: string): Promise<TeamSite> =>
  startSite(folder, async (_manage, { teamId }) => teamId)

/** @param findTeam Returns the id of the team that tests use */
async function startSite(
  folder: string,
  findTeam: (manage: TeamSite['manage'], harness: Harness) => Promise<string>,
): Promise<TeamSite> {
  const parser = createLabReportParser({
    processes: 1,
    memoryMb: 1024,
    timeoutMs: 60_000,
    idleMs: 1_000,
  })
  const harness = await createHarness(
    // What receives the webhooks of tests is on this machine.
    { webhooksAllowHttp: true, webhooksAllowPrivate: true },
    { labReportParser: parser, clock: new RunningClock(), poolSize: 20 },
  )
  const app = await buildApp({ ...harness.dependencies, pagesFolder: folder })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  await harness.startJobs()
  harness.startWebhooks()
  harness.startPuller()
  const manage: TeamSite['manage'] = async (method, path, body) =>
    bodyOf(await harness.manage(method, path, body))
  const close = async () => {
    await app.close()
    await harness.close()
    await parser.close()
  }
  try {
    const teamId = await findTeam(manage, harness)
    return { ...(await describeSite(harness, baseUrl, manage, teamId)), close }
  } catch (error) {
    // The process would otherwise never end.
    await close()
    throw error
  }
}

async function describeSite(
  harness: Harness,
  baseUrl: string,
  manage: TeamSite['manage'],
  teamId: string,
): Promise<Omit<TeamSite, 'close'>> {
  const { organizationId: orgId, managementKey } = harness
  const key = { label: 'tests', team_id: teamId }
  const { value } = await manage('POST', '/team_api_keys/sandbox/us', key)
  const ask: TeamSite['ask'] = async (method, path, body) =>
    bodyOf(await harness.call(method, path, body, { 'x-service-api-key': value }))
  const signIn: TeamSite['signIn'] = async (page, management_key = managementKey) => {
    const answer = await page.context().request.post(`${baseUrl}/v1/console/session`, {
      headers: { 'x-salus-console': '1' },
      data: { management_key },
    })
    if (!answer.ok()) throw new Error(`signing in: ${answer.status()} ${await answer.text()}`)
  }
  const open: TeamSite['open'] = async (page, path) => {
    const isSignedIn = (await page.context().cookies()).length > 0
    if (!isSignedIn) await signIn(page)
    const below = path.startsWith('/') ? path : `/${teamId}/sandbox/${path}`
    await page.goto(`${baseUrl}/console${below}`)
    await page.locator('h1').first().waitFor()
  }
  return { baseUrl, harness, orgId, teamId, managementKey, ask, manage, signIn, open }
}

function bodyOf({ status, text, body }: { status: number; text: string; body: Body }): Body {
  if (status >= 300) throw new Error(`${status} ${text}`)
  return body
}

/** @returns the id of the team */
async function fill(manage: TeamSite['manage']): Promise<string> {
  let team: DemoTeam = await manage('POST', '/demo_team')
  for (const end = Date.now() + FILLING_PATIENCE_MS; team.status === 'filling'; ) {
    if (Date.now() > end) throw new Error('The demo team was not filled in time.')
    await new Promise((resolve) => setTimeout(resolve, 200))
    team = await manage('GET', '/demo_team')
  }
  if (team.status !== 'ready') throw new Error(`The demo team failed: ${team.problem}`)
  return team.team_id ?? ''
}

async function listUsers(ask: TeamSite['ask']): Promise<ConsoleSite['users']> {
  const { users } = await ask('GET', '/v2/user?limit=500')
  const idOf = (wanted: string): string =>
    users.find((user: Body) => user.client_user_id === wanted).user_id
  const pairs = Object.entries(PEOPLE).map(([name, { client_user_id }]) => [
    name,
    idOf(client_user_id),
  ])
  return Object.fromEntries(pairs)
}

/** Whether the page itself, not a table within it, is wider than the window. */
export async function isTooWide(page: Page): Promise<boolean> {
  const script = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  return (await page.evaluate(script)) as boolean
}

export type ConsoleFixture = BrowserFixture<ConsoleSite>

interface PageTestOptions extends VisitOptions {
  /**
   * What is looked at again in other ways, such as all pages in a narrow window: run by `npm run
   * test:long`.
   */
  isCampaign?: boolean
}

/** In normal use no request fails: pages only send requests that are allowed. */
const NOTHING = /(?!)/

/** A test in a browser of its own, on the server that all tests of the console share. */
export function testPage<Opened extends TeamSite>(
  name: string,
  fixture: BrowserFixture<Opened>,
  act: (page: Page, site: Opened) => Promise<void>,
  { isCampaign = false, refused = NOTHING, ...options }: PageTestOptions = {},
): void {
  if (isCampaign !== campaignRuns(false, true)) return
  test(name, { skip: skipBrowserTests }, () =>
    fixture.visit((page) => act(page, fixture.site), { refused, ...options }),
  )
}
