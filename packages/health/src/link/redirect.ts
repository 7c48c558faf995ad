import { invalidInput } from '@salus/kernel/errors'
import type { LinkError } from './link-errors.registry.ts'
import type { LinkSessionRow } from './link-sessions.repository.ts'

/** Schemes by which an address would run a program or show a file in the place of a page. */
const REFUSED_SCHEMES = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'blob:',
  'file:',
  'about:',
  'view-source:',
])

/** @throws InputError for what no browser or app can be sent to */
export function refuseBadRedirect(field: string, url: string | null | undefined): void {
  if (url === null || url === undefined) return
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isWeb = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  if (
    parsed === undefined ||
    REFUSED_SCHEMES.has(parsed.protocol) ||
    (isWeb && !/^https?:\/\/[^/]/i.test(url)) ||
    parsed.username !== '' ||
    // Such characters are dropped from the ends by one reader and kept by the next.
    /[\s\\]|\p{Cc}/u.test(url)
  ) {
    throw invalidInput(['body', field], 'Not an absolute URL', 'invalid_url')
  }
}

/**
 * Holds a redirect to what the team allows; null allows all.
 * @throws InputError for an address that is none of those, nor below one
 */
export function requireAllowedRedirect(
  field: string,
  url: string | null | undefined,
  allowed: readonly string[] | null,
): void {
  if (url === null || url === undefined || allowed === null) return
  const wanted = new URL(url)
  if (allowed.some((entry) => URL.canParse(entry) && covers(new URL(entry), wanted))) return
  throw invalidInput(['body', field], 'The team does not allow this URL', 'url_not_allowed')
}

function covers(allowed: URL, { protocol, host, pathname }: URL): boolean {
  if (allowed.protocol !== protocol || allowed.host !== host) return false
  const folder = allowed.pathname.replace(/\/*$/, '/')
  return pathname === allowed.pathname || `${pathname}/`.startsWith(folder)
}

/** Where a sign-in ends when nobody said where: a page of this deployment. */
export const donePage = (baseUrl: string): string => `${baseUrl}/link/done`

/** Where the person is sent when it went well, or not (docs/contract/03-link.md#delivery). */
export function redirectOf(
  session: Pick<LinkSessionRow, 'redirect_url'> | undefined,
  { baseUrl, provider, error }: { baseUrl: string; provider: string; error: LinkError | undefined },
): string {
  const outcome: Record<string, string> =
    error === undefined
      ? { state: 'success', provider }
      : { state: 'error', error_type: error.errorType, error: error.message, provider }
  return addQuery(session?.redirect_url ?? donePage(baseUrl), outcome)
}

/** Adds to the query; what stands there stays, letter by letter. */
function addQuery(url: string, values: Record<string, string>): string {
  const [address = '', ...fragment] = url.split('#')
  const isFirst = !address.includes('?')
  const joint = isFirst ? '?' : /[?&]$/.test(address) ? '' : '&'
  const query = new URLSearchParams(values).toString()
  return [`${address}${joint}${query}`, ...fragment].join('#')
}
