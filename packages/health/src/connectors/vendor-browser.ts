import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import { CookieJar } from './cookie-jar.ts'
import { type HtmlForm, readForms } from './html-forms.ts'
import { type Send, VendorError, type VendorRequest } from './vendor-client.ts'

export { decodeEntities, type HtmlForm, readForms, readMeta } from './html-forms.ts'

export interface BrowserOptions {
  readonly slug: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Headers of all requests, such as `user-agent`. */
  readonly headers?: Readonly<Record<string, string>>
  /** An address, such as of an app, at which redirects end without a request. */
  readonly callback?: string
  /** What `save` returned before. */
  readonly saved?: string
}

/** An answer with the address that it came from after all redirects. */
export interface BrowserPage {
  readonly url: URL
  readonly answer: OutboundAnswer
  /** The address below `callback` to which the vendor redirected; then `answer` is the redirect. */
  readonly callback: URL | undefined
  text(): string
  forms(): HtmlForm[]
}

const MOST_REDIRECTS = 20
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** A browser repeats the method and the body after these. */
const REPEATED = new Set([307, 308])

type Hosts = Readonly<Record<string, string>>

/**
 * Creates a browser that knows the vendor's own addresses, also where requests go to an emulated
 * vendor.
 * @param hosts `Connector.hosts`.
 */
export const createBrowser = (send: Send, hosts: Hosts, options: BrowserOptions): VendorBrowser =>
  new VendorBrowser(send, hosts, options)

/** Signs in to a vendor as a browser does: with cookies, redirects and forms. */
export class VendorBrowser {
  readonly #send: Send
  readonly #hosts: Hosts
  readonly #options: BrowserOptions
  readonly #jar: CookieJar

  constructor(send: Send, hosts: Hosts, options: BrowserOptions) {
    this.#send = send
    this.#hosts = hosts
    this.#options = options
    this.#jar = new CookieJar(options.saved)
  }

  /**
   * Sends a request and follows redirects to declared hosts.
   * @throws VendorError `unexpected` for a redirect to another host, or too many of them
   */
  open(request: VendorRequest): Promise<BrowserPage> {
    const { host = 'api', path, query = {} } = request
    const url = new URL(`${this.#hosts[host]}${path}`)
    for (const [name, value] of Object.entries(query)) {
      for (const one of [value ?? []].flat()) url.searchParams.append(name, one)
    }
    return this.#follow(url, request)
  }

  /** Fills in a form of a page and sends it. @throws VendorError like `open` */
  submit(
    page: BrowserPage,
    { action, method, fields }: HtmlForm,
    values: Readonly<Record<string, string>>,
  ): Promise<BrowserPage> {
    const url = this.#resolve(action, page.url)
    const form = { ...fields, ...values }
    const headers = { referer: page.url.href, origin: page.url.origin }
    if (method === 'POST') return this.#follow(url, { method, path: '', form, headers })
    for (const [name, value] of Object.entries(form)) url.searchParams.set(name, value)
    return this.#follow(url, { path: '', headers })
  }

  /** Returns the value of a cookie that a request to a host would have. */
  cookie(host: string, name: string): string | undefined {
    return this.#jar.valueOf(new URL(`${this.#hosts[host]}/`), name)
  }

  /** Returns the `cookie` header for a request that is sent without the browser. */
  cookieHeader(host: string, path: string): string | undefined {
    return this.#jar.headerFor(new URL(`${this.#hosts[host]}${path}`), this.#options.now)
  }

  /** Returns all cookies as text, for a challenge or `tokens.extra`. It is secret. */
  save(): string {
    return this.#jar.save()
  }

  async #follow(first: URL, request: VendorRequest): Promise<BrowserPage> {
    const { callback } = this.#options
    let [url, wanted] = [first, request]
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const answer = await this.#sendOnce(url, wanted)
      const location = REDIRECTS.has(answer.status) ? answer.header('location') : undefined
      if (location === undefined) return toPage(url, answer, undefined)
      const next = this.#resolve(location, url)
      if (callback !== undefined && isBelow(next, callback)) return toPage(url, answer, next)
      const { query: _query, method: _method, form: _form, json: _json, ...rest } = wanted
      if (!REPEATED.has(answer.status)) wanted = rest
      url = next
    }
    throw this.#unexpected()
  }

  async #sendOnce(url: URL, wanted: VendorRequest): Promise<OutboundAnswer> {
    const { now, headers } = this.#options
    const target = targetOf(this.#hosts, url)
    if (target === undefined) throw this.#unexpected()
    const cookie = this.#jar.headerFor(url, now)
    const { query: _query, ...rest } = wanted
    const all = {
      accept: 'text/html,*/*',
      ...headers,
      ...wanted.headers,
      ...(cookie && { cookie }),
    }
    const answer = await this.#send({ ...rest, ...target, headers: all })
    this.#jar.store(url, answer.headerValues('set-cookie'), now)
    return answer
  }

  #resolve(address: string, base: URL): URL {
    const url = URL.parse(address, base.href)
    if (url === null) throw this.#unexpected()
    return url
  }

  #unexpected(): VendorError {
    return new VendorError(this.#options.slug, { kind: 'unexpected', status: null })
  }
}

const toPage = (url: URL, answer: OutboundAnswer, callback: URL | undefined): BrowserPage => ({
  url,
  answer,
  callback,
  text: () => answer.bytes().toString('utf8'),
  forms: () => readForms(answer.bytes().toString('utf8')),
})

const isBelow = (url: URL, address: string): boolean =>
  url.href === address || url.href.startsWith(`${address}?`) || url.href.startsWith(`${address}#`)

/** Returns the declared host of an address, and the rest of it; undefined for other hosts. */
function targetOf(
  hosts: Readonly<Record<string, string>>,
  url: URL,
): { host: string; path: string } | undefined {
  const [host] = Object.keys(hosts)
    .filter((name) => `${url.origin}${url.pathname}`.startsWith(`${hosts[name]}/`))
    .toSorted((one, other) => (hosts[other] ?? '').length - (hosts[one] ?? '').length)
  if (host === undefined) return undefined
  return { host, path: `${url.href.slice((hosts[host] ?? '').length).split('#')[0]}` }
}
