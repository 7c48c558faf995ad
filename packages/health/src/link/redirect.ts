import { invalidInput } from '@salus/kernel/errors'
import type { LinkError } from './link-errors.registry.ts'
import type { LinkSessionRow } from './link-sessions.repository.ts'

/** Schemes whose URL would run a program or show a file instead of a page. */
const REFUSED_SCHEMES = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'blob:',
  'file:',
  'about:',
  'view-source:',
])

/** @throws InputError for a URL to which no browser or app can be redirected */
export function refuseBadRedirect(field: string, url: string | null | undefined): void {
  if (url === null || url === undefined) return
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isWeb = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  if (
    parsed === undefined ||
    REFUSED_SCHEMES.has(parsed.protocol) ||
    (isWeb && !/^https?:\/\/[^/]/i.test(url)) ||
    parsed.username !== '' ||
    // Some parsers drop such characters at the ends, others keep them.
    /[\s\\]|\p{Cc}/u.test(url)
  ) {
    throw invalidInput(['body', field], 'Not an absolute URL', 'invalid_url')
  }
}

/**
 * Checks that the team allows a redirect; null allows all.
 * @throws InputError for an address that is neither allowed nor below an allowed one
 */
export function requireAllowedRedirect(
  field: string,
  url: string | null | undefined,
  allowed: readonly string[] | null,
): void {
  if (url === null || url === undefined || allowed === null) return
  const wanted = new URL(url)
  if (allowed.some((entry) => URL.canParse(entry) && coversUrl(new URL(entry), wanted))) return
  throw invalidInput(['body', field], 'The team does not allow this URL', 'url_not_allowed')
}

function coversUrl(allowed: URL, { protocol, host, pathname }: URL): boolean {
  if (allowed.protocol !== protocol || allowed.host !== host) return false
  const folder = allowed.pathname.replace(/\/*$/, '/')
  return pathname === allowed.pathname || `${pathname}/`.startsWith(folder)
}

/** Returns the page of this deployment on which a sign-in without a redirect ends. */
export const donePageUrl = (baseUrl: string): string => `${baseUrl}/link/done`

/** Returns the redirect URL with the outcome (docs/contract/03-link.md#delivery). */
export function redirectUrlOf(
  session: Pick<LinkSessionRow, 'redirect_url'> | undefined,
  { baseUrl, provider, error }: { baseUrl: string; provider: string; error: LinkError | undefined },
): string {
  const outcome: Record<string, string> =
    error === undefined
      ? { state: 'success', provider }
      : { state: 'error', error_type: error.errorType, error: error.message, provider }
  return addQuery(session?.redirect_url ?? donePageUrl(baseUrl), outcome)
}

/** Adds to the query of a URL and keeps the rest unchanged. */
function addQuery(url: string, values: Record<string, string>): string {
  const [address = '', ...fragment] = url.split('#')
  const isFirst = !address.includes('?')
  const joint = isFirst ? '?' : /[?&]$/.test(address) ? '' : '&'
  const query = new URLSearchParams(values).toString()
  return [`${address}${joint}${query}`, ...fragment].join('#')
}
