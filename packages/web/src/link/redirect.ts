/** Outcome of a link, as the redirect delivers it (docs/contract/03-link.md#delivery). */
export interface LinkOutcome {
  state: 'success' | 'error'
  error_type?: string | undefined
  error?: string | undefined
  provider?: string | undefined
}

/** Addresses that would run a script in this page, or open files. */
const UNSAFE = /^(javascript|data|vbscript|file|blob|about|filesystem|view-source)$/i

/** Returns whether the address is absolute and a safe target for a browser or an app. */
export function isSafeRedirect(url: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]
  return scheme !== undefined && !UNSAFE.test(scheme)
}

export const isWebAddress = (url: string): boolean => /^https?:/i.test(url)

/** Adds the outcome to an address, and keeps the rest of it. */
export function withOutcome(redirectUrl: string, outcome: LinkOutcome): string {
  const given = Object.entries(outcome).filter((entry): entry is [string, string] => !!entry[1])
  const [address = '', ...fragment] = redirectUrl.split('#')
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&'
  const hash = fragment.length === 0 ? '' : `#${fragment.join('#')}`
  return `${address}${separator}${new URLSearchParams(given)}${hash}`
}
