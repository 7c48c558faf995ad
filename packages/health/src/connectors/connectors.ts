import type { Environment } from '@salus/kernel/scope'
import type { Connector, VendorApp, VendorTokens } from './connector.ts'
import {
  createSend,
  type FetchJson,
  fetchFile,
  readJson,
  type Send,
  type VendorAddress,
  VendorError,
  type VendorRequest,
} from './vendor-client.ts'

/** The connectors of a deployment, with the addresses of their vendors in each environment. */
export interface Connectors {
  readonly all: readonly Connector[]
  find(slug: string): Connector | undefined
  /**
   * Returns the address at which the servers of the vendor are reached.
   * @param region Of `OAuth.regions`; undefined for a vendor with one region.
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
  const { slug, failureOf, fileHosts = [] } = connector
  const send = createUserSend(connector, address, tokens, app)
  return async (wanted) => {
    if ('fileUrl' in wanted) return fetchFile(address, fileHosts, wanted.fileUrl)
    const answer = await send(wanted)
    const failure = failureOf?.(answer)
    if (failure !== undefined) throw new VendorError(slug, failure)
    return readJson(slug, answer)
  }
}

/** Creates a function that adds the credential of a user to requests and sends them. */
export function createUserSend(
  { authorize = authorizeAsBearer }: Connector,
  address: VendorAddress,
  tokens: VendorTokens,
  app?: VendorApp,
): Send {
  const send = createSend(address)
  return (wanted) => send(authorize(wanted, tokens, app))
}

const authorizeAsBearer = (
  wanted: VendorRequest,
  { accessToken }: VendorTokens,
): VendorRequest => ({
  ...wanted,
  headers: { ...wanted.headers, authorization: `Bearer ${accessToken}` },
})
