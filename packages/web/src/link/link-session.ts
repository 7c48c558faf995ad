/**
 * Data of this tab about the link. The token is removed from the address, so that it is not visible
 * and not in the history of the browser. It is kept in the session storage of the tab, so that a
 * reload and the way back from a provider work, and is deleted when it is used up.
 */
export interface LinkSession {
  token: string
  team?: string | undefined
  /** Name of the provider to which the person was redirected. */
  provider?: string | undefined
  /** Origin of the page that opened this one: as the address says, then as the team allows. */
  opener?: string | undefined
  /** Starts a further link after a connection. */
  continuation?: string | undefined
  /** The person has agreed, in a link before this one. */
  hasAgreed?: boolean | undefined
}

const KEY = 'salus.link'

/** Reads the token of the address, or else that of the tab. */
export function openLinkSession(): LinkSession | undefined {
  const address = new URL(location.href)
  const token = address.searchParams.get('token')
  if (token === null || token === '') return readLinkSession()
  const session = { token, opener: address.searchParams.get('opener') ?? undefined }
  if (saveLinkSession(session)) {
    address.search = ''
    history.replaceState(history.state, '', address)
  }
  return session
}

export function readLinkSession(): LinkSession | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Saves the session. Returns false where a browser, or an app around one, has no storage: then the
 * token stays in the address.
 */
export function saveLinkSession(session: LinkSession): boolean {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(session))
    return true
  } catch {
    return false
  }
}

/** Adds to what is kept; nothing where nothing is. */
export function updateLinkSession(changes: Partial<LinkSession>): void {
  const session = readLinkSession()
  if (session !== undefined) saveLinkSession({ ...session, ...changes })
}

/** Deletes the token; names stay for the page that shows the outcome. */
export function endLinkSession(): void {
  updateLinkSession({ token: '' })
}
