import type { LinkPopup, LinkPopupMessage, LinkPopupOptions, SalusLink } from '@salus/sdk'

/**
 * `/assets/link.js`: opens the link page in a pop-up and reports the outcome to the page that
 * includes it. Built as one file without imports, and small, because foreign pages load it.
 *
 * The outcome arrives in three ways: the link page sends a message; or the link session redirects
 * to an address of this page's origin, which is readable; or, where a vendor's page has separated
 * the windows (`Cross-Origin-Opener-Policy`), the script requests the state of the session.
 */

const LOOK_EVERY_MS = 400
const ASK_EVERY_MS = 3000
/** How long a separated window is waited for. */
const ASK_FOR_MS = 5 * 60_000

const FEATURES = 'popup,width=480,height=760'

type Report = (message: Omit<LinkPopupMessage, 'type'>) => void

function open(options: LinkPopupOptions): LinkPopup {
  // At once, within the click: a window that is opened later is blocked.
  const popup = window.open('about:blank', 'salus-link', FEATURES)
  const report: Report = ({ event, provider = null, error_type = 'unavailable', error = null }) => {
    if (event === 'success') {
      options.onSuccess?.({ provider })
      if (options.closeOnSuccess) popup?.close()
    }
    if (event === 'error') options.onError?.({ error_type, error, provider })
  }
  if (popup === null) {
    // Callers have the returned value before the first callback.
    queueMicrotask(() => report({ event: 'error', error_type: 'popup_blocked' }))
    return { close() {}, focus() {} }
  }
  let stop = (): void => {}
  let isClosed = false
  addressOf(options.url).then(
    (url) => {
      if (isClosed) return
      stop = follow(popup, url, report, () => options.onClose?.())
    },
    () => {
      popup.close()
      if (!isClosed) report({ event: 'error', error_type: 'no_url' })
    },
  )
  return {
    close() {
      isClosed = true
      stop()
      popup.close()
    },
    focus: () => popup.focus(),
  }
}

async function addressOf(given: LinkPopupOptions['url']): Promise<URL> {
  const url = new URL(await (typeof given === 'function' ? given() : given))
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('The address is not one of the web.')
  url.searchParams.set('opener', location.origin)
  return url
}

/** Shows the page and reports what becomes of it. @returns A function that ends the reports */
function follow(popup: Window, url: URL, report: Report, onClose: () => void): () => void {
  let isAway = false
  let hasSucceeded = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const listen = (message: MessageEvent): void => {
    // Only this window, and only while it shows a page of the deployment.
    if (message.source !== popup || message.origin !== url.origin) return
    const data = message.data as Partial<LinkPopupMessage> | null
    if (data?.type !== 'salus-link' || data.event === undefined) return
    isAway = data.event === 'leaving'
    hasSucceeded ||= data.event === 'success'
    report(data as LinkPopupMessage)
  }
  const stop = (): void => {
    removeEventListener('message', listen)
    clearTimeout(timer)
  }
  const look = (): void => {
    if (popup.closed) {
      onClose()
      // The session of a further account has a token that is not known here.
      if (isAway && !hasSucceeded) void ask(Date.now() + ASK_FOR_MS)
      else stop()
      return
    }
    const outcome = readRedirect(popup)
    if (outcome !== undefined) {
      stop()
      report(outcome)
      popup.close()
      onClose()
      return
    }
    timer = setTimeout(look, LOOK_EVERY_MS)
  }
  const ask = async (end: number): Promise<void> => {
    const outcome = await askState(url)
    if (outcome !== undefined) {
      stop()
      report(outcome)
    } else if (Date.now() < end) timer = setTimeout(() => ask(end), ASK_EVERY_MS)
  }
  addEventListener('message', listen)
  popup.location.replace(url.href)
  timer = setTimeout(look, LOOK_EVERY_MS)
  return stop
}

/** Reads the outcome where the session has redirected to a page of this origin. */
function readRedirect(popup: Window): Parameters<Report>[0] | undefined {
  let query: URLSearchParams
  try {
    query = new URLSearchParams(popup.location.search)
  } catch {
    // A page of another origin.
    return undefined
  }
  const [state, provider, error_type, error] = ['state', 'provider', 'error_type', 'error'].map(
    (name) => query.get(name) ?? undefined,
  )
  if (state === 'success') return { event: 'success', provider }
  if (state === 'error') return { event: 'error', provider, error_type, error }
  return undefined
}

/** Asks the server for a success; only an origin that the team allows gets an answer. */
async function askState(url: URL): Promise<Parameters<Report>[0] | undefined> {
  const token = url.searchParams.get('token') ?? ''
  try {
    const answer = await fetch(new URL('v2/link/state', url), {
      headers: { 'x-service-link-token': token },
      credentials: 'omit',
      cache: 'no-store',
    })
    const { state, provider } = await answer.json()
    if (state === 'consumed') return { event: 'success', provider: provider ?? undefined }
    if (state === 'expired') return { event: 'error', error_type: 'token_expired' }
  } catch {
    // The network may be back at the next attempt.
  }
  return undefined
}

const api: SalusLink = { open }
Object.assign(window, { SalusLink: api })
