import { createHash, randomUUID } from 'node:crypto'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codeForm, html, outcomeOf, PAGE, RIGHT_CODE, sendPage, signInForm } from '../pages.ts'
import type { VendorContext } from '../vendor.ts'

export interface Scope {
  readonly name: string
  /** Description on the consent page. */
  readonly meaning: string
}

/** Request of an app, as its URL describes it. */
interface Wanted {
  clientId: string
  redirectUri: string
  state: string | undefined
  scopes: readonly Scope[]
  challenge: string | undefined
}

/** Content of a code; each is used once. */
export interface CodeContent {
  id: string
  account: string
  clientId: string
  redirectUri: string
  scopes: string[]
  /** Challenge of PKCE. */
  challenge: string | undefined
  /** Epoch milliseconds. */
  expiresAt: number
}

interface Ticket {
  account: string
  expiresAt: number
  isVerified: boolean
}

const CODE_MS = 10 * MINUTE_MS
const TICKET_MS = 15 * MINUTE_MS
const MOST_ACCOUNT = 200

/** Returns the PKCE challenge of a verifier (RFC 7636, S256). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

const textOf = (given: unknown): string => (typeof given === 'string' ? given : '')

/** Registers the pages on which a user signs in and allows an app to see their data. */
export function registerAuthorize(
  app: FastifyInstance,
  context: VendorContext,
  {
    path,
    scopes,
    scopeSeparator = ' ',
  }: { path: string; scopes: readonly Scope[]; scopeSeparator?: string },
): void {
  const pages = new AuthorizePages(context, scopes, scopeSeparator)
  app.get(path, PAGE, (request, reply) => pages.start(request, reply))
  app.post(path, PAGE, (request, reply) => pages.go(request, reply))
}

type Form = Record<string, string | string[] | undefined>

class AuthorizePages {
  readonly #context: VendorContext
  readonly #scopes: readonly Scope[]
  readonly #scopeSeparator: string

  constructor(context: VendorContext, scopes: readonly Scope[], scopeSeparator: string) {
    this.#context = context
    this.#scopes = scopes
    this.#scopeSeparator = scopeSeparator
  }

  start(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const wanted = this.#read(request)
    if (typeof wanted === 'string') return this.#refuse(reply, wanted)
    return this.#page(reply, 'Sign in', signInForm(''))
  }

  async go(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const wanted = this.#read(request)
    if (typeof wanted === 'string') return this.#refuse(reply, wanted)
    const form = (request.body ?? {}) as Form
    if (form.step === 'sign_in') return this.#signIn(reply, wanted, form)
    const ticket = await this.#context.tokens.read<Ticket>('sign-in', textOf(form.ticket))
    if (ticket === undefined || ticket.expiresAt <= this.#now()) {
      return this.#page(reply, 'Sign in', signInForm('', 'That took too long. Sign in again.'))
    }
    if (form.step === 'code') {
      if (textOf(form.code).trim() !== RIGHT_CODE) {
        return this.#page(
          reply,
          'Enter the code',
          codeForm(textOf(form.ticket), 'This code is wrong.'),
        )
      }
      return this.#askConsent(reply, wanted, ticket.account)
    }
    if (!ticket.isVerified) return this.#page(reply, 'Sign in', signInForm('', 'Sign in first.'))
    return this.#decide(reply, wanted, ticket.account, form)
  }

  async #signIn(reply: FastifyReply, wanted: Wanted, form: Form): Promise<FastifyReply> {
    const account = textOf(form.username).trim()
    const outcome = outcomeOf(textOf(form.password))
    const fail = (message: string) => this.#page(reply, 'Sign in', signInForm(account, message))
    if (account === '' || account.length > MOST_ACCOUNT) return fail('Enter a user name.')
    if (outcome === 'wrong') return fail('User name or password is wrong.')
    if (outcome === 'expired')
      return fail('Your password has expired. Choose a new one to sign in.')
    if (outcome === 'elsewhere')
      return fail('Your account belongs to a region that is not served here.')
    if (outcome === 'down') {
      const body = html`<p>${this.#context.name} does not answer at the moment. Try again later.</p>`
      return this.#page(reply, 'Out of order', body, 503)
    }
    if (outcome === 'code') {
      const ticket = await this.#ticketOf(account, false)
      return this.#page(reply, 'Enter the code', codeForm(ticket))
    }
    return this.#askConsent(reply, wanted, account)
  }

  #ticketOf(account: string, isVerified: boolean): Promise<string> {
    const ticket: Ticket = { account, isVerified, expiresAt: this.#now() + TICKET_MS }
    return this.#context.tokens.sign('sign-in', ticket)
  }

  async #askConsent(reply: FastifyReply, wanted: Wanted, account: string): Promise<FastifyReply> {
    const boxes = wanted.scopes.map(
      ({
        name,
        meaning,
      }) => html`<label class="choice"><input type="checkbox" name="scope" value="${name}" checked> ${meaning}</label>
`,
    )
    const body = html`<p>Signed in as <strong>${account}</strong>. The app <strong>${wanted.clientId}</strong> asks to see:</p>
<form method="post">
<input type="hidden" name="step" value="consent">
<input type="hidden" name="ticket" value="${await this.#ticketOf(account, true)}">
<fieldset><legend>Your data</legend>
${boxes}</fieldset>
<button class="main" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
<h2>Only in the sandbox</h2>
<button name="decision" value="fail">Fail here</button>
<button name="decision" value="bad_code">Allow, with a code that does not work</button>
</form>
<p class="dim">You will go back to ${wanted.redirectUri}</p>`
    return this.#page(reply, 'Allow access?', body)
  }

  async #decide(
    reply: FastifyReply,
    wanted: Wanted,
    account: string,
    form: Form,
  ): Promise<FastifyReply> {
    const { clientId, redirectUri, state, challenge } = wanted
    const back = (answer: Record<string, string>): FastifyReply => {
      const url = new URL(redirectUri)
      const all = { ...answer, ...(state !== undefined && { state }) }
      for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
      return reply.redirect(url.href, 303)
    }
    const fail = (error: string, text: string) => back({ error, error_description: text })
    if (form.decision === 'deny') return fail('access_denied', 'The person denied access.')
    if (form.decision === 'fail') return fail('server_error', 'Something went wrong.')
    const ticked = [form.scope ?? []].flat()
    const scopes = wanted.scopes.map(({ name }) => name).filter((name) => ticked.includes(name))
    const content: CodeContent = {
      id: randomUUID(),
      account,
      clientId,
      redirectUri,
      scopes,
      challenge,
      expiresAt: this.#now() + CODE_MS,
    }
    const kind = form.decision === 'bad_code' ? 'bad code' : `${this.#context.slug} code`
    const code = await this.#context.tokens.sign(kind, content)
    return back({ code, scope: scopes.join(this.#scopeSeparator) })
  }

  /** Reads the request of an app, or returns the problem of its URL. */
  #read(request: FastifyRequest): Wanted | string {
    const query = request.query as Record<string, unknown>
    const clientId = textOf(query.client_id)
    const redirectUri = textOf(query.redirect_uri)
    if (clientId === '') return 'client_id is missing.'
    if (!URL.canParse(redirectUri)) return 'redirect_uri is missing, or no address.'
    if (/^(javascript|data|vbscript|file|blob|about):/i.test(redirectUri.trim())) {
      return 'redirect_uri is not an address to return to.'
    }
    if (query.response_type !== 'code') return 'response_type must be code.'
    const method = query.code_challenge_method
    if (query.code_challenge !== undefined && method !== 'S256') {
      return 'code_challenge_method must be S256.'
    }
    const asked = textOf(query.scope)
      .split(/[\s+,]+/)
      .filter(Boolean)
    const unknown = asked.find((name) => this.#scopes.every((scope) => scope.name !== name))
    if (unknown !== undefined) return `The scope ${unknown} is unknown.`
    return {
      clientId,
      redirectUri,
      state: typeof query.state === 'string' ? query.state : undefined,
      scopes: this.#scopes.filter(({ name }) => asked.length === 0 || asked.includes(name)),
      challenge: typeof query.code_challenge === 'string' ? query.code_challenge : undefined,
    }
  }

  #now(): number {
    return this.#context.clock.now().getTime()
  }

  #refuse(reply: FastifyReply, message: string): FastifyReply {
    return this.#page(reply, 'This request is wrong', html`<p class="error">${message}</p>`, 400)
  }

  #page(
    reply: FastifyReply,
    title: string,
    body: ReturnType<typeof html>,
    status = 200,
  ): FastifyReply {
    return sendPage(reply, { title, vendor: this.#context.name, body, status })
  }
}
