import { setTimeout as sleep } from 'node:timers/promises'
import { type DemoClient, DemoFailure, type VisitedPage } from './demo-client.ts'
import { type DemoPerson, emailOf, PHONE_NUMBER } from './people.registry.ts'

/** Creates a user with the data that orders need. @returns the id */
export async function makePerson(client: DemoClient, person: DemoPerson): Promise<string> {
  const { client_user_id, time_zone, info } = person
  const made = await client.callTeamApi<{ user_id: string }>('POST', '/v2/user', {
    client_user_id,
    fallback_time_zone: time_zone,
    fallback_birth_date: info.dob,
  })
  await client.callTeamApi('PATCH', `/v2/user/${made.user_id}/info`, {
    ...info,
    address: { ...info.address, country: 'US' },
    email: emailOf(person),
    phone_number: PHONE_NUMBER,
  })
  return made.user_id
}

/** Connects a user to all their providers; data arrive in the background. */
export async function connectVendors(
  client: DemoClient,
  userId: string,
  { vendors = [], demo }: DemoPerson,
): Promise<void> {
  for (const { provider, account } of vendors) {
    const token = await openLink(client, userId)
    if (provider === 'oura') await signInAtPages(client, token, { provider, account })
    else await signInWithPassword(client, token, account, 'correct')
  }
  if (demo === undefined) return
  await client.callTeamApi('POST', '/v2/link/connect/demo', { user_id: userId, provider: demo })
}

/** Simulates a user who begins to connect, enters a wrong password and gives up. */
export async function failToConnect(client: DemoClient, userId: string): Promise<void> {
  const token = await openLink(client, userId)
  await signInWithPassword(client, token, 'nora.lindqvist@example.com', 'not this one')
}

/** Revokes the access at the provider: the connection ends with an error when it is next used. */
export async function endAccess(client: DemoClient, userId: string, person: DemoPerson) {
  for (const { provider, account } of person.vendors ?? []) {
    const address = `/sandbox/providers/${provider}/account`
    const form = { step: 'sign_in', username: account, password: 'correct' }
    const page = await client.browse(address, new URLSearchParams(form))
    await submit(client, page, { action: 'revoke' })
  }
  // The failure of the refresh is intended here.
  await client.callTeamApi('POST', `/v2/user/refresh/${userId}`).catch((error: unknown) => {
    if (!(error instanceof DemoFailure)) throw error
  })
}

async function openLink(client: DemoClient, userId: string): Promise<string> {
  const body = { user_id: userId }
  const answer = await client.callTeamApi<{ link_token: string }>('POST', '/v2/link/token', body)
  return answer.link_token
}

const withToken = (token: string) => ({ 'x-service-link-token': token })

function signInWithPassword(client: DemoClient, token: string, username: string, password: string) {
  const body = { username, password }
  const url = '/v2/link/provider/password/abbott_libreview'
  return client.callTeamApi('POST', url, body, withToken(token))
}

/** Walks through the pages of a provider with OAuth, as a browser does, and back to Salus. */
async function signInAtPages(
  client: DemoClient,
  token: string,
  { provider, account }: { provider: string; account: string },
): Promise<void> {
  const url = `/v2/link/provider/oauth/${provider}`
  const start = await client.callTeamApi<{ oauth_url: string }>(
    'GET',
    url,
    undefined,
    withToken(token),
  )
  const page = await client.browse(start.oauth_url)
  const consent = await submit(client, page, { username: account, password: 'correct' })
  const { location = '' } = await submit(client, consent, { decision: 'allow' })
  await client.browse(location)
}

/** Submits the form of a page with its values and some fields filled in. */
function submit(client: DemoClient, page: VisitedPage, filled: Record<string, string>) {
  const fields = new URLSearchParams()
  for (const [tag] of page.html.matchAll(/<input\b[^>]*>/g)) {
    const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
    const name = attribute('name')
    const isSent = attribute('type') !== 'checkbox' || /\schecked/.test(tag)
    if (name !== undefined && isSent) fields.append(name, attribute('value') ?? '')
  }
  for (const [name, value] of Object.entries(filled)) fields.set(name, value)
  return client.browse(page.url, fields)
}

/** Time to wait for the history of a provider before the team counts as filled without it. */
const HISTORY_PATIENCE_MS = 120_000
const LOOK_MS = 250

/**
 * Waits until the history of the last months has arrived from the providers, or will not arrive.
 */
export async function waitForHistory(
  client: DemoClient,
  userIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const end = performance.now() + HISTORY_PATIENCE_MS; performance.now() < end; ) {
    const answers = await Promise.all(userIds.map((id) => readHistory(client, id)))
    if (answers.every((isOver) => isOver)) return
    await sleep(LOOK_MS, undefined, { signal })
  }
}

interface History {
  data: { provider: Record<string, { pulled: Record<string, { status: string }> }> }[]
}

async function readHistory(client: DemoClient, userId: string): Promise<boolean> {
  const url = `/v2/introspect/historical_pull?user_id=${userId}`
  const { data } = await client.callTeamApi<History>('GET', url)
  const runs = data
    .flatMap(({ provider }) => Object.values(provider))
    .flatMap(({ pulled }) => Object.values(pulled))
  return runs.length > 0 && runs.every(({ status }) => status === 'success' || status === 'failure')
}
