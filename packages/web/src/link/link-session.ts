/**
 * What this tab knows of the link. The token is taken out of the address, so that it is neither
 * seen over a shoulder nor kept in the browser's history, and lives in the tab's own storage, so
 * that a reload and the way back from a provider work. It goes with the tab, and as soon as it is
 * used up.
 */
export interface LinkSession {
  token: string
  team?: string | undefined
  /** Name of the provider that the person was sent to. */
  provider?: string | undefined
}

const KEY = 'salus.link'

/** Reads the token of the address, or else that of the tab. */
export function openLinkSession(): LinkSession | undefined {
  const address = new URL(location.href)
  const token = address.searchParams.get('token')
  if (token === null || token === '') return readLinkSession()
  const session = { token }
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
 * False where a browser, or an app around one, keeps nothing: then the token has to stay in the
 * address.
 */
export function saveLinkSession(session: LinkSession): boolean {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(session))
    return true
  } catch {
    return false
  }
}

/** Forgets the token; names stay for the page that says how it went. */
export function endLinkSession(): void {
  const session = readLinkSession()
  if (session !== undefined) saveLinkSession({ ...session, token: '' })
}
