import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FAULT_KINDS, type Fault, type FaultKind } from './faults.ts'
import { html, outcomeOf, PAGE, sendPage, signInForm } from './pages.ts'
import type { Vendor, VendorContext } from './vendor.ts'

/** Names of faults on the page; those of pushes only where a provider sends some. */
const FAULT_NAMES: Record<FaultKind, string> = {
  rate_limit: 'Too many requests (429)',
  server_error: 'Errors of the server (500)',
  unavailable: 'Out of order (503)',
  timeout: 'No answer',
  slow: 'Slow answers',
  malformed: 'Broken JSON',
  duplicate_pages: 'Every page twice',
  unauthorized: 'Tokens are refused (401)',
  push_twice: 'Messages come twice',
  push_shuffled: 'Messages in the wrong order',
  push_silent: 'No messages',
}

const TICKET_MS = HOUR_MS
const MOST_MINUTES = 24 * 60

interface Ticket {
  account: string
  expiresAt: number
}

type Form = Record<string, unknown>
const textOf = (given: unknown): string => (typeof given === 'string' ? given : '')

/**
 * Registers the page on which users end the access of apps, and on which testers of Salus cause
 * faults.
 */
export function registerAccountPage(
  app: FastifyInstance,
  vendor: Vendor,
  context: VendorContext,
): void {
  const page = new AccountPage(vendor, context)
  app.get('/account', PAGE, (_request, reply) => page.start(reply))
  app.post('/account', PAGE, (request, reply) => page.go(request, reply))
}

class AccountPage {
  readonly #vendor: Vendor
  readonly #context: VendorContext

  constructor(vendor: Vendor, context: VendorContext) {
    this.#vendor = vendor
    this.#context = context
  }

  start(reply: FastifyReply, username = '', error?: string): FastifyReply {
    const body = signInForm(username, error)
    return sendPage(reply, { title: 'Your account', vendor: this.#vendor.name, body })
  }

  async go(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = (request.body ?? {}) as Form
    const { tokens } = this.#context
    if (form.step === 'sign_in') {
      const typed = textOf(form.username).trim()
      const account = this.#vendor.accountOf?.(typed) ?? typed
      if (outcomeOf(textOf(form.password)) !== 'signed_in' || account === '') {
        return this.start(reply, typed, 'Only the password "correct" signs in here.')
      }
      return this.#show(reply, account)
    }
    const ticket = await tokens.read<Ticket>('account page', textOf(form.ticket))
    if (ticket === undefined || ticket.expiresAt <= this.#now()) {
      return this.start(reply, '', 'That took too long. Sign in again.')
    }
    return this.#show(reply, ticket.account, await this.#act(ticket.account, form))
  }

  #now(): number {
    return this.#context.clock.now().getTime()
  }

  /** @returns a description of what happened */
  async #act(account: string, form: Form): Promise<string> {
    const context = this.#context
    if (form.action === 'revoke') {
      await this.#vendor.revoke(context, account)
      return 'No app has access any more.'
    }
    if (form.action === 'expire') {
      await this.#vendor.expire(context, account)
      return 'The access so far has expired.'
    }
    if (form.action === 'push') {
      const to = this.#now()
      const sent = await this.#vendor.push?.send(context, account, { from: to - 24 * HOUR_MS, to })
      return `${sent ?? 0} messages about the last 24 hours were taken.`
    }
    const kind = FAULT_KINDS.find((known) => known === form.fault)
    if (form.action !== 'fault' || kind === undefined) {
      await context.faults.set(account, [])
      return 'Everything works.'
    }
    const minutes = Math.min(Math.max(Number(form.minutes) || 1, 1), MOST_MINUTES)
    const fault: Fault = { kind, until: this.#now() + minutes * MINUTE_MS }
    await context.faults.set(account, [fault])
    return `${FAULT_NAMES[kind]}, for ${minutes} minutes.`
  }

  async #show(reply: FastifyReply, account: string, done?: string): Promise<FastifyReply> {
    const { tokens } = this.#context
    const ticket: Ticket = { account, expiresAt: this.#now() + TICKET_MS }
    const hasPush = this.#vendor.push !== undefined
    const kinds = FAULT_KINDS.filter((kind) => hasPush || !kind.startsWith('push'))
    const options = kinds.map((kind) => html`<option value="${kind}">${FAULT_NAMES[kind]}</option>`)
    const { person } = this.#context.calendarOf(account)
    const body = html`${done === undefined ? '' : html`<p role="status"><strong>${done}</strong></p>`}
<p>Signed in as <strong>${account}</strong>: ${person.sex}, ${person.age}, at home in ${person.homeZone}.</p>
<p class="dim">${this.#vendor.name} knows this account as ${this.#vendor.accountIdOf(account)}</p>
<form method="post">
<input type="hidden" name="ticket" value="${await tokens.sign('account page', ticket)}">
<h2>Access of apps</h2>
<button name="action" value="revoke">End the access of all apps</button>
<button name="action" value="expire">Let tokens expire now</button>
${hasPush ? html`<button name="action" value="push">Send messages about the last 24 hours</button>` : ''}
<h2>What goes wrong</h2>
<label for="fault">Requests for data of this account</label>
<select id="fault" name="fault">${options}</select>
<label for="minutes">For how many minutes</label>
<input type="number" id="minutes" name="minutes" value="10" min="1" max="${MOST_MINUTES}">
<button name="action" value="fault" class="main">Let it go wrong</button>
<button name="action" value="none">Let everything work</button>
</form>`
    return sendPage(reply, { title: 'Your account', vendor: this.#vendor.name, body })
  }
}
