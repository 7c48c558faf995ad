import { baseUrl } from '../api/client.ts'

const CONSOLE = new URL(`${baseUrl}/console`)

/**
 * Returns the one-time sign-in code of the address, and removes it from the address and from the
 * history of the browser.
 */
export function takeSignInCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return code
}

/**
 * Returns the view after the sign-in, as a path of this host. Anyone can write the address of the
 * sign-in page, so a view outside of the console becomes its first page.
 * @param to Below `/console`, as the router writes addresses
 */
export function viewFrom(to: string | undefined): string {
  if (to === undefined || !to.startsWith('/')) return CONSOLE.pathname
  const url = new URL(`${CONSOLE.href}${to}`)
  const isView = url.origin === CONSOLE.origin && url.pathname.startsWith(`${CONSOLE.pathname}/`)
  if (!isView || url.pathname.startsWith(`${CONSOLE.pathname}/signin`)) return CONSOLE.pathname
  return url.pathname + url.search
}
