import type { LinkClient } from './link-client.ts'
import { readLinkSession, saveLinkSession } from './link-session.ts'

/** Starts a further link after a connection, and shows its providers. */
export async function continueLink(client: LinkClient, continuation: string): Promise<void> {
  const { link_token: token, link_web_url: url } = await client.continueLink(continuation)
  const { team, opener } = readLinkSession() ?? {}
  const isKept = saveLinkSession({ token, team, opener, hasAgreed: true })
  // Without a storage the address has the token.
  location.assign(isKept ? new URL('link', document.baseURI) : url)
}
