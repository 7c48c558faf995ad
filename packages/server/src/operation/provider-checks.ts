import { isIP } from 'node:net'
import { newId } from '@salus/kernel/ids'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { OutboundError } from '@salus/kernel/outbound/outbound-error'
import { isPublicAddress } from '@salus/kernel/outbound/public-address'
import { request } from '@salus/kernel/outbound/request'
import type { ProviderCheck, ProviderSetup } from './provider-setup.schema.ts'

const ok = (message: string): ProviderCheck => ({ state: 'ok', message, advice: null })
const problem = (message: string, advice: string | null): ProviderCheck => ({
  ...{ state: 'problem', message, advice },
})
const skipped = (message: string): ProviderCheck => ({ state: 'skipped', message, advice: null })

export function checkProvider({ provider_name: name, reason }: ProviderSetup): ProviderCheck {
  return reason === null
    ? ok(`Users can be connected to ${name}.`)
    : problem(`Production cannot connect ${name}. ${reason}`, null)
}

/**
 * @param missing Names of required secrets that the operator's app does not have.
 * @param settings Names of required settings without a value.
 */
export function checkApp(
  { provider, app, team_apps: teams }: ProviderSetup,
  missing: readonly string[],
  settings: readonly string[],
): ProviderCheck {
  if (app === 'not_needed') return ok('It needs no app.')
  if (settings.length > 0) {
    return problem(
      `The app lacks settings: ${settings.join(', ')}.`,
      `Add them as "settings" under "${provider}" in SALUS_PROVIDER_APPS.`,
    )
  }
  const ofTeams = teams === 0 ? '' : ` Teams with an app of their own: ${teams}.`
  if (app === 'missing') {
    return problem(
      `No app is configured.${ofTeams}`,
      `Register one, and put its client_id and client_secret under "${provider}" in SALUS_PROVIDER_APPS.`,
    )
  }
  if (missing.length === 0) return ok(`An app is configured.${ofTeams}`)
  return problem(
    `The app lacks secrets: ${missing.join(', ')}.`,
    `Add them as "secrets" under "${provider}" in SALUS_PROVIDER_APPS.`,
  )
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal|test|invalid)$/

/** Checks the address under which vendors and browsers reach the deployment. */
export async function checkPublicAddress(baseUrl: string | undefined): Promise<ProviderCheck[]> {
  if (baseUrl === undefined) {
    return [
      problem(
        'The deployment has no public address.',
        'Set SALUS_BASE_URL to the https address at which browsers and vendors reach it.',
      ),
    ]
  }
  const { protocol, hostname } = new URL(baseUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isLocal = isIP(host) === 0 ? LOCAL_NAME.test(host) : !isPublicAddress(host)
  const checks = [
    protocol === 'https:'
      ? ok(`${baseUrl} is https.`)
      : problem(`${baseUrl} is not https, which vendors require.`, 'Correct SALUS_BASE_URL.'),
  ]
  if (isLocal) {
    const message = `${host} is an address of this machine or network, which vendors cannot reach.`
    return [...checks, problem(message, 'Correct SALUS_BASE_URL.')]
  }
  return [...checks, await checkReachable(baseUrl)]
}

export async function checkReachable(baseUrl: string): Promise<ProviderCheck> {
  const answer = await ask(`${baseUrl}/health/live`)
  if (typeof answer !== 'string' && answer.isOurs) {
    return ok(`${baseUrl} is reachable from this machine.`)
  }
  return problem(
    `${baseUrl} does not lead to this deployment (${describe(answer)}).`,
    'Check its name, its certificate and the proxy.',
  )
}

/** Whether messages reach the deployment: a vendor's test of the address gets its answer. */
export async function checkPushAddress(
  url: string | null,
  isReachable: boolean,
): Promise<ProviderCheck> {
  if (url === null) return skipped('The address of messages depends on the app.')
  if (!isReachable) return skipped('The address of messages needs the public address.')
  const answer = await ask(url)
  if (typeof answer !== 'string' && answer.isOurs)
    return ok('The address of messages is reachable.')
  return problem(
    `The address of messages is not reachable (${describe(answer)}).`,
    'Let the proxy pass /v2/provider/ to Salus.',
  )
}

interface Asked {
  status: number
  /** Whether this service answered: it repeats the id of a request. */
  isOurs: boolean
}

const describe = (answer: Asked | string): string =>
  typeof answer === 'string' ? answer.replaceAll('_', ' ') : `status ${answer.status}`

/** @returns the answer, or why there is none */
async function ask(url: string): Promise<Asked | string> {
  // The operator set the address. Behind a proxy its name may lead to the own network.
  const agent = createOutboundAgent({ allowPrivate: true, connectTimeoutMs: 5_000 })
  const id = newId()
  try {
    const answer = await request(agent, {
      ...{ url, headers: { 'x-request-id': id }, timeoutMs: 10_000, maxBytes: 64 * 1024 },
    })
    const isOurs = answer.status < 500 && answer.header('x-request-id') === id
    return { status: answer.status, isOurs }
  } catch (error) {
    if (error instanceof OutboundError) return error.reason
    throw error
  } finally {
    await agent.close()
  }
}
