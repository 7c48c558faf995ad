import { baseUrl } from '../api/client.ts'

const CONSOLE = new URL(`${baseUrl}/console`)

/**
 * The code that the address signs in with once. It is taken out of the address, and so out of the
 * history of the browser.
 */
export function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return code
}

/**
 * The view to go on to, as a path of this host. What the address of the sign-in page names may be
 * of anybody, so whatever leads out of the console is the console itself.
 * @param to Below `/console`, as the router writes addresses
 */
export function viewFrom(to: string | undefined): string {
  if (to === undefined || !to.startsWith('/')) return CONSOLE.pathname
  const url = new URL(`${CONSOLE.href}${to}`)
  const isView = url.origin === CONSOLE.origin && url.pathname.startsWith(`${CONSOLE.pathname}/`)
  if (!isView || url.pathname.startsWith(`${CONSOLE.pathname}/signin`)) return CONSOLE.pathname
  return url.pathname + url.search
}
