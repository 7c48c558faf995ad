import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { Environment } from '@salus/kernel/scope'
import { resolveApp } from './app-settings.ts'
import { botCheckFailure } from './bot-check.ts'
import type { Connector, VendorApp, VendorTokens } from './connector.ts'
import {
  createSend,
  type FetchJson,
  fetchFile,
  readJson,
  type Send,
  type VendorAddress,
  VendorError,
  type VendorFailure,
  type VendorRequest,
} from './vendor-client.ts'

/** The connectors of a deployment, with the addresses of their vendors in each environment. */
export interface Connectors {
  readonly all: readonly Connector[]
  find(slug: string): Connector | undefined
  /**
   * Returns the address at which the servers of the vendor are reached.
   * @param region Of `auth.regions`; undefined for a vendor with one region.
   */
  addressOf(
    connector: Connector,
    environment: Pick<Environment, 'kind'>,
    region?: string,
  ): VendorAddress
  /**
   * Returns the hosts as a user's browser reaches them.
   * @param baseUrl Public address of the deployment.
   */
  publicHostsOf(
    connector: Connector,
    environment: Pick<Environment, 'kind'>,
    baseUrl: string,
    region?: string,
  ): Readonly<Record<string, string>>
  /**
   * Enters the address of an app's messages at the emulated vendor of a sandbox, as an operator
   * does in the console of a real vendor without an interface for subscriptions.
   * @throws VendorError
   */
  enterPushAddress(
    connector: Connector,
    environment: Pick<Environment, 'kind'>,
    app: VendorApp,
    callbackUrl: string,
  ): Promise<void>
}

/**
 * Creates a function that sends requests on behalf of a user.
 * @param app The app by which the user is connected; undefined for a provider without apps.
 * @throws VendorError
 */
export function createFetchJson(
  connector: Connector,
  address: VendorAddress,
  tokens: VendorTokens,
  app?: VendorApp,
): FetchJson {
  const { slug, fileHosts = [] } = connector
  const send = createUserSend(connector, address, tokens, app)
  return async (wanted) => {
    if ('fileUrl' in wanted) return fetchFile(address, fileHosts, wanted.fileUrl)
    const answer = await send(wanted)
    const failure = declaredFailure(connector, answer, 'data')
    if (failure !== undefined) throw new VendorError(slug, failure)
    return readJson(slug, answer, wanted.decode)
  }
}

/**
 * Creates the function by which a sign-in by password sends its requests.
 * @throws VendorError for failures that the connector declares, and checks for bots
 */
export function createSignInSend(connector: Connector, address: VendorAddress): Send {
  const send = createSend(address)
  return async (wanted) => {
    const answer = await send(wanted)
    const failure = declaredFailure(connector, answer, 'sign_in')
    if (failure !== undefined) throw new VendorError(connector.slug, failure)
    return answer
  }
}

function declaredFailure(
  { auth, failureOf }: Connector,
  answer: OutboundAnswer,
  of: 'data' | 'sign_in',
): VendorFailure | undefined {
  const failure = failureOf?.(answer, of)
  return failure ?? (auth.kind === 'password' ? botCheckFailure(answer) : undefined)
}

/** Creates a function that adds the credential of a user to requests and sends them. */
export function createUserSend(
  connector: Connector,
  address: VendorAddress,
  tokens: VendorTokens,
  app?: VendorApp,
): Send {
  const { authorize = authorizeAsBearer } = connector
  const send = createSend(address)
  const resolved = resolveApp(connector, app)
  return (wanted) => send(authorize(wanted, tokens, resolved))
}

const authorizeAsBearer = (
  wanted: VendorRequest,
  { accessToken }: VendorTokens,
): VendorRequest => ({
  ...wanted,
  headers: { ...wanted.headers, authorization: `Bearer ${accessToken}` },
})
