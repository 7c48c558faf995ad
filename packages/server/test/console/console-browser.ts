import { type Answer, answerOf, type Harness } from '../harness.ts'

/**
 * A browser with the console open: it keeps the cookie of the session, and sends what the console
 * sends.
 */
export interface ConsoleBrowser {
  /** The value of the session cookie; undefined before signing in and after signing out. */
  token: string | undefined
  /** @param headers Beside its own, or undefined in place of one of them. */
  send(method: string, url: string, body?: object, headers?: object): Promise<Answer>
}

export function openConsoleBrowser(
  { app }: Pick<Harness, 'app'>,
  options: { cookieName?: string; host?: string; headers?: object } = {},
): ConsoleBrowser {
  const { cookieName = 'salus-console', host = 'localhost' } = options
  const browser: ConsoleBrowser = {
    token: undefined,
    async send(method, url, body, headers = {}) {
      const response = await app.inject({
        method: method as 'GET',
        url,
        headers: withoutUndefined({
          host,
          'x-salus-console': '1',
          'sec-fetch-site': 'same-origin',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(browser.token !== undefined && { cookie: `${cookieName}=${browser.token}` }),
          ...options.headers,
          ...headers,
        }),
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      const set = response.cookies.find(({ name }) => name === cookieName)
      if (set !== undefined) browser.token = set.value || undefined
      return answerOf(response)
    },
  }
  return browser
}

function withoutUndefined(headers: Record<string, unknown>): Record<string, string> {
  const sent = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value)]))
}
