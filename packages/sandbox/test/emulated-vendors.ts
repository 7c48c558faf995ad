import { createMemoryStore, ProviderEmulator } from '../src/providers/index.ts'

/** Emulated vendors with a clock that only the test moves, and pushes that are kept. */

export const ALL_SCOPES = [
  'personal',
  'daily',
  'heartrate',
  'workout',
  'session',
  'tag',
  'spo2',
  'email',
]

export interface Pushed {
  url: string
  headers: Record<string, string>
  body: string
}

export interface Answer {
  status: number
  headers: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
  text: string
}

interface Given {
  token?: string
  json?: object
  headers?: object
}

/** Of one test. */
export class EmulatedVendors {
  now = new Date('2026-03-01T18:00:00Z')
  pushed: Pushed[] = []
  /**
   * Answer of a callback address to a challenge; undefined is the correct one.
   */
  challenge: string | undefined
  readonly emulator = new ProviderEmulator({
    clock: { now: () => this.now },
    store: createMemoryStore(),
    fetch: (url, init) => this.#takePush(url, init),
  })

  async #takePush(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    if (init.method === undefined) {
      const challenge = this.challenge ?? new URL(String(url)).searchParams.get('challenge')
      return Response.json({ challenge })
    }
    const { headers, body } = init as { headers: Record<string, string>; body: string }
    this.pushed.push({ url: String(url), headers, body })
    return new Response('')
  }

  pass(milliseconds: number): void {
    this.now = new Date(this.now.getTime() + milliseconds)
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    given: Given = {},
  ): Promise<Answer> {
    const { token, json, headers } = given
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await this.emulator.app.inject({
      method,
      url: `/sandbox/providers/${path}`,
      headers: { ...authorization, ...headers },
      ...(json !== undefined && { payload: json }),
    })
    const { statusCode: status, body: text } = answer
    return { status, headers: answer.headers, body: parseIfJson(text), text }
  }

  /** Sends a form as a page does. */
  post(path: string, form: Record<string, string>) {
    return this.emulator.app.inject({
      method: 'POST',
      url: `/sandbox/providers/${path}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
  }

  /** An access token of Oura. */
  async grant(account: string, scopes = ALL_SCOPES, clientId = 'sandbox'): Promise<string> {
    return (await this.emulator.grant('oura', account, scopes, clientId)).access_token
  }

  /** Asks Oura for records. */
  read(path: string, token: string): Promise<Answer> {
    return this.call('GET', `oura/api/v2/usercollection/${path}`, { token })
  }

  /** All pages. */
  async readAll(path: string, token: string): Promise<unknown[]> {
    const records: unknown[] = []
    for (let cursor = ''; ; ) {
      const { status, body, text } = await this.read(`${path}${cursor}`, token)
      if (status !== 200) throw new Error(text)
      records.push(...body.data)
      if (body.next_token === null) return records
      cursor = `&next_token=${body.next_token}`
    }
  }
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
