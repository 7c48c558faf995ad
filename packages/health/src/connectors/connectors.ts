import type { Environment } from '@salus/kernel/scope'
import type { Connector, VendorTokens } from './connector.ts'
import {
  createSend,
  type FetchJson,
  readJson,
  type VendorAddress,
  VendorError,
  type VendorRequest,
} from './vendor-client.ts'

/** The connectors of a deployment, with the addresses of their vendors in each environment. */
export interface Connectors {
  readonly all: readonly Connector[]
  find(slug: string): Connector | undefined
  /** Returns the address at which the servers of the vendor are reached. */
  addressOf(connector: Connector, environment: Pick<Environment, 'kind'>): VendorAddress
  /**
   * Returns the hosts as a user's browser reaches them.
   * @param baseUrl Public address of the deployment.
   */
  publicHostsOf(
    connector: Connector,
    environment: Pick<Environment, 'kind'>,
    baseUrl: string,
  ): Readonly<Record<string, string>>
}

/**
 * Creates a function that sends requests on behalf of a user.
 * @throws VendorError
 */
export function createFetchJson(
  { slug, authorize = authorizeAsBearer, failureOf }: Connector,
  address: VendorAddress,
  tokens: VendorTokens,
): FetchJson {
  const send = createSend(address)
  return async (wanted) => {
    const answer = await send(authorize(wanted, tokens))
    const failure = failureOf?.(answer)
    if (failure !== undefined) throw new VendorError(slug, failure)
    return readJson(slug, answer)
  }
}

const authorizeAsBearer = (
  wanted: VendorRequest,
  { accessToken }: VendorTokens,
): VendorRequest => ({
  ...wanted,
  headers: { ...wanted.headers, authorization: `Bearer ${accessToken}` },
})
