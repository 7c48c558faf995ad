import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** HTML of the emulated providers: it works without scripts, on a phone, and below any path. */

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --dim: #566274; --paper: #fff; --back: #eef1f5; --line: #c3cad4; --main: #1f5fbf; --bad: #b3261e; --note: #fff6dc }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf2; --dim: #a5b0c0; --paper: #1b212b; --back: #11151b; --line: #465164; --main: #8ab4ff; --bad: #ff8a80; --note: #3a3319 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 30rem; margin: 0 auto; padding: 1.25rem }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem }
.sandbox { background: var(--note); border-radius: .5rem; padding: .5rem .75rem; margin: 0 0 1rem; font-size: .875rem }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .75rem }
h2 { font-size: 1.0625rem; margin: 1.5rem 0 .5rem }
label { display: block; margin-top: .75rem; font-weight: 600 }
input[type=text], input[type=password], input[type=number], select { display: block; width: 100%; font: inherit; color: inherit; background: var(--paper); padding: .625rem .75rem; border: 1px solid var(--dim); border-radius: .5rem; margin-top: .25rem }
fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0 0; padding: .25rem .75rem .75rem }
legend { padding: 0 .25rem; font-weight: 600 }
.choice { display: flex; gap: .625rem; align-items: center; min-height: 2.5rem; margin: 0; font-weight: 400 }
.choice input { width: 1.25rem; height: 1.25rem; flex: none; margin: 0 }
button, .button { display: block; width: 100%; min-height: 2.75rem; margin-top: .75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; border-radius: .5rem; border: 1px solid var(--main); background: transparent; color: var(--main); cursor: pointer }
button.main { background: var(--main); color: var(--paper) }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
.error { color: var(--bad); font-weight: 600 }
.dim { color: var(--dim); font-size: .875rem; overflow-wrap: anywhere }
a { color: var(--main) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .5rem 0 }
dt, dd { margin: 0 } dt { font-family: ui-monospace, monospace }
ul { padding-left: 1.25rem } li { padding: .375rem 0 }
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/**
 * Leaves out `form-action`: a browser also checks the redirects after a form against it, and those
 * lead to Salus and on to any URL of a team.
 */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is a page of an emulated provider, for browsers. */
    isPage?: boolean
  }
}

/** Options of a route that browsers may reach. */
export const PAGE = { config: { isPage: true } } as const

/** HTML that is safe to send. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

type Part = string | number | Html | readonly Html[] | undefined

const toText = (part: Part): string => {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return String(part).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

/** A template whose parts are escaped unless they are Html. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const texts = strings.map((text, position) => `${text}${toText(parts[position])}`)
  return new Html(texts.join(''))
}

export interface Page {
  title: string
  /** Emulated provider. */
  vendor: string
  body: Html
  status?: number
}

/** Sends a page that says that it only emulates the provider, and that caches may not store. */
export function sendPage(
  reply: FastifyReply,
  { title, vendor, body, status = 200 }: Page,
): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${vendor} (sandbox)</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<p class="sandbox"><strong>Sandbox.</strong> This page only plays ${vendor}. Do not enter a real password.</p>
<div class="card">
<h1>${title}</h1>
${body}
</div>
</main>
</body>
</html>
`
  return reply
    .status(status)
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(page.text)
}

/** Outcomes of passwords of the sandbox (docs/sandbox.md#signing-in). */
export type PasswordOutcome =
  | 'signed_in'
  | 'code'
  | 'expired'
  | 'elsewhere'
  | 'consent'
  | 'unshared'
  | 'locked'
  | 'robot'
  | 'down'
  | 'wrong'

const OUTCOMES: Record<string, PasswordOutcome> = {
  correct: 'signed_in',
  code: 'code',
  expired: 'expired',
  elsewhere: 'elsewhere',
  consent: 'consent',
  unshared: 'unshared',
  locked: 'locked',
  robot: 'robot',
  down: 'down',
}

/** The correct value of every code. */
export const RIGHT_CODE = '123456'

/** Any text that is not a password of the sandbox is a wrong one. */
export const outcomeOf = (password: string): PasswordOutcome =>
  Object.hasOwn(OUTCOMES, password) ? (OUTCOMES[password] ?? 'wrong') : 'wrong'

/** A page that a check for bots sends instead of an answer. */
export const ROBOT_PAGE =
  '<!doctype html><html><head><title>Just a moment...</title></head><body>Cloudflare: enable cookies to continue. Error 1020</body></html>'

/** The form of a sign-in, which is sent to its own address. */
export function signInForm(username: string, error?: string): Html {
  return html`${error === undefined ? '' : html`<p class="error" role="alert">${error}</p>`}
<form method="post">
<input type="hidden" name="step" value="sign_in">
<label for="username">User name or e-mail</label>
<input type="text" id="username" name="username" value="${username}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" required>
<label for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="off" maxlength="200" required>
<button class="main">Sign in</button>
</form>
<h2>Passwords of the sandbox</h2>
<p class="dim">Any user name is a person, always the same one.</p>
<dl class="dim">
<dt>correct</dt><dd>signs in</dd>
<dt>code</dt><dd>asks for a code, which is ${RIGHT_CODE}</dd>
<dt>expired</dt><dd>the password has expired</dd>
<dt>elsewhere</dt><dd>another region</dd>
<dt>down</dt><dd>the vendor does not answer</dd>
<dt>others</dt><dd>are wrong</dd>
</dl>`
}

/** The form of the second step; `ticket` identifies the sign-in that it continues. */
export function codeForm(ticket: string, error?: string): Html {
  return html`${error === undefined ? '' : html`<p class="error" role="alert">${error}</p>`}
<p>We sent a code to •••-•••-0142.</p>
<form method="post">
<input type="hidden" name="step" value="code">
<input type="hidden" name="ticket" value="${ticket}">
<label for="code">Code</label>
<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required>
<button class="main">Continue</button>
</form>
<p class="dim">In the sandbox it is ${RIGHT_CODE}.</p>`
}
