/** A cookie as RFC 6265, section 5.3 stores it. */
interface Cookie {
  readonly name: string
  readonly value: string
  readonly host: string
  /** Whether hosts below `host` get it too. */
  readonly isForSubdomains: boolean
  readonly path: string
  /** Epoch milliseconds; null until the end of the session. */
  readonly expiresAt: number | null
}

/**
 * The cookies of a vendor's sign-in by host and path (RFC 6265). There is no list of public
 * suffixes, because they only go to hosts that a connector declares; so no library is needed.
 */
export class CookieJar {
  #cookies: readonly Cookie[]

  /** @param saved Returned by `save`. */
  constructor(saved = '[]') {
    this.#cookies = JSON.parse(saved) as Cookie[]
  }

  /** Stores the `Set-Cookie` headers of an answer. @param now Epoch milliseconds. */
  store(url: URL, headers: readonly string[], now: number): void {
    for (const header of headers) {
      const cookie = parseCookie(url, header, now)
      if (cookie === undefined) continue
      const others = this.#cookies.filter((known) => !isSame(known, cookie))
      const isOver = cookie.expiresAt !== null && cookie.expiresAt <= now
      this.#cookies = isOver ? others : [...others, cookie]
    }
  }

  /** Returns the `Cookie` header of a request; undefined without cookies. */
  headerFor(url: URL, now: number): string | undefined {
    const sent = this.#cookies
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .filter((cookie) => isSentTo(cookie, url))
      .toSorted((one, other) => other.path.length - one.path.length)
    if (sent.length === 0) return undefined
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  /** Returns the value of a cookie that a request to the address would have. */
  valueOf(url: URL, name: string): string | undefined {
    return this.#cookies.findLast((one) => one.name === name && isSentTo(one, url))?.value
  }

  /** Returns everything, for `tokens.extra` or a challenge. It is secret. */
  save(): string {
    return JSON.stringify(this.#cookies)
  }
}

const isSame = (one: Cookie, other: Cookie): boolean =>
  one.name === other.name && one.host === other.host && one.path === other.path

function isSentTo({ host, isForSubdomains, path }: Cookie, { hostname, pathname }: URL): boolean {
  const isHost = hostname === host || (isForSubdomains && hostname.endsWith(`.${host}`))
  const below = path.endsWith('/') ? path : `${path}/`
  return isHost && (pathname === path || pathname.startsWith(below))
}

/** @returns undefined for a cookie that the host may not set */
function parseCookie(url: URL, header: string, now: number): Cookie | undefined {
  const [pair = '', ...attributes] = header.split(';')
  const equals = pair.indexOf('=')
  if (equals < 1) return undefined
  const given = new Map(
    attributes.map((attribute) => {
      const [name = '', ...value] = attribute.split('=')
      return [name.trim().toLowerCase(), value.join('=').trim()] as const
    }),
  )
  const domain = (given.get('domain') ?? '').replace(/^\./, '').toLowerCase()
  const isForSubdomains = domain !== ''
  const isOwn = domain === '' || url.hostname === domain || url.hostname.endsWith(`.${domain}`)
  if (!isOwn || (isForSubdomains && !domain.includes('.'))) return undefined
  const path = given.get('path') ?? ''
  return {
    name: pair.slice(0, equals).trim(),
    value: pair.slice(equals + 1).trim(),
    host: isForSubdomains ? domain : url.hostname,
    isForSubdomains,
    path: path.startsWith('/') ? path : folderOf(url.pathname),
    expiresAt: expiryOf(given, now),
  }
}

function expiryOf(given: ReadonlyMap<string, string>, now: number): number | null {
  const age = Number(given.get('max-age') || Number.NaN)
  if (!Number.isNaN(age)) return now + age * 1000
  const at = Date.parse(given.get('expires') ?? '')
  return Number.isNaN(at) ? null : at
}

const folderOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')))
